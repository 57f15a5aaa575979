// What ThreadSanitizer has to be told of gRPC and Abseil, which Debian ships without
// instrumentation: where they order two threads. Linked into every program of the tsan preset and
// into no other; the functions below stand before those of the libraries, call them, and add
// nothing but the edge. docs/decisions/0005-tsan-and-grpc.md has the reasons.
//
// The guarantees of the libraries that are stated here, and no others:
//  - what was done before a mutex was unlocked is seen after it is locked next (absl::Mutex, and
//    gpr_mu, under which gRPC hands the end of a call to a thread of its own);
//  - what was done before an operation was started is seen where it is completed (gRPC, by tag);
//  - what was done before a server was started is seen by all its calls;
//  - what any reaction to a call did is seen when the call ends (gRPC's reactors).

#include <dlfcn.h>
#include <grpc/grpc.h>
#include <grpc/support/sync.h>
#include <grpcpp/support/server_callback.h>
#include <sanitizer/tsan_interface.h>

#include <cstdio>
#include <cstdlib>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

#define STELE_PLAIN __attribute__((used, visibility("default"), no_sanitize("thread")))

namespace {

// The library's own function, which the one of that name in this file hides.
template <class Function>
STELE_PLAIN Function* Next(const char* symbol) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    std::fprintf(stderr, "cmake/tsan_grpc.cc: no library defines %s\n", symbol);
    std::abort();
  }
  return reinterpret_cast<Function*>(found);
}

char server_start;  // stands for the start of every server

}  // namespace

namespace absl {

STELE_PLAIN void Mutex::Lock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  static auto* const next = Next<void(Mutex*)>("_ZN4absl7debian35Mutex4LockEv");
  next(this);
  __tsan_acquire(this);
}

STELE_PLAIN bool Mutex::TryLock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  static auto* const next = Next<bool(Mutex*)>("_ZN4absl7debian35Mutex7TryLockEv");
  const bool locked = next(this);
  if (locked) __tsan_acquire(this);
  return locked;
}

STELE_PLAIN void Mutex::Unlock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  static auto* const next = Next<void(Mutex*)>("_ZN4absl7debian35Mutex6UnlockEv");
  __tsan_release(this);
  next(this);
}

STELE_PLAIN void CondVar::Wait(Mutex* mutex) {
  static auto* const next =
      Next<void(CondVar*, Mutex*)>("_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  next(this, mutex);
  __tsan_acquire(mutex);
}

STELE_PLAIN bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static auto* const next = Next<bool(CondVar*, Mutex*, Duration)>(
      "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool timed_out = next(this, mutex, timeout);
  __tsan_acquire(mutex);
  return timed_out;
}

STELE_PLAIN bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static auto* const next = Next<bool(CondVar*, Mutex*, Time)>(
      "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool timed_out = next(this, mutex, deadline);
  __tsan_acquire(mutex);
  return timed_out;
}

}  // namespace absl

namespace grpc::internal {

// Reactions to a call are counted in the headers, where TSan sees it, and, for a cancellation, in
// the library, where it does not: the last one to go has seen what all the others did.
STELE_PLAIN void ServerCallbackCall::ScheduleOnDone(bool inline_ondone) {
  static auto* const next = Next<void(ServerCallbackCall*, bool)>(
      "_ZN4grpc8internal18ServerCallbackCall14ScheduleOnDoneEb");
  __tsan_acquire(&callbacks_outstanding_);
  next(this, inline_ondone);
}

}  // namespace grpc::internal

extern "C" {

STELE_PLAIN void gpr_mu_lock(gpr_mu* mutex) {
  static auto* const next = Next<decltype(gpr_mu_lock)>("gpr_mu_lock");
  next(mutex);
  __tsan_acquire(mutex);
}

STELE_PLAIN int gpr_mu_trylock(gpr_mu* mutex) {
  static auto* const next = Next<decltype(gpr_mu_trylock)>("gpr_mu_trylock");
  const int locked = next(mutex);
  if (locked != 0) __tsan_acquire(mutex);
  return locked;
}

STELE_PLAIN void gpr_mu_unlock(gpr_mu* mutex) {
  static auto* const next = Next<decltype(gpr_mu_unlock)>("gpr_mu_unlock");
  __tsan_release(mutex);
  next(mutex);
}

STELE_PLAIN int gpr_cv_wait(gpr_cv* condition, gpr_mu* mutex, gpr_timespec deadline) {
  static auto* const next = Next<decltype(gpr_cv_wait)>("gpr_cv_wait");
  __tsan_release(mutex);
  const int timed_out = next(condition, mutex, deadline);
  __tsan_acquire(mutex);
  return timed_out;
}

STELE_PLAIN void grpc_server_start(grpc_server* server) {
  static auto* const next = Next<decltype(grpc_server_start)>("grpc_server_start");
  __tsan_release(&server_start);
  next(server);
}

STELE_PLAIN grpc_call_error grpc_call_start_batch(grpc_call* call, const grpc_op* ops, size_t count,
                                                  void* tag, void* reserved) {
  static auto* const next = Next<decltype(grpc_call_start_batch)>("grpc_call_start_batch");
  __tsan_release(tag);
  return next(call, ops, count, tag, reserved);
}

// Reactors are called from here too: gRPC's own threads wait in this function and run what the tag
// says.
STELE_PLAIN grpc_event grpc_completion_queue_next(grpc_completion_queue* queue,
                                                  gpr_timespec deadline, void* reserved) {
  static auto* const next =
      Next<decltype(grpc_completion_queue_next)>("grpc_completion_queue_next");
  const grpc_event event = next(queue, deadline, reserved);
  if (event.type == GRPC_OP_COMPLETE) {
    __tsan_acquire(&server_start);
    __tsan_acquire(event.tag);
  }
  return event;
}

STELE_PLAIN grpc_event grpc_completion_queue_pluck(grpc_completion_queue* queue, void* tag,
                                                   gpr_timespec deadline, void* reserved) {
  static auto* const next =
      Next<decltype(grpc_completion_queue_pluck)>("grpc_completion_queue_pluck");
  const grpc_event event = next(queue, tag, deadline, reserved);
  if (event.type == GRPC_OP_COMPLETE) __tsan_acquire(event.tag);
  return event;
}

}  // extern "C"
