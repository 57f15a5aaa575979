// std::mutex with clang's thread-safety annotations, so that the compiler checks what each
// lock guards. Not absl::Mutex: Debian's is built without TSan instrumentation and drowns it
// in false races.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define STELE_TSA_(x) __attribute__((x))
#else
#define STELE_TSA_(x)
#endif
#define STELE_GUARDED_BY(x) STELE_TSA_(guarded_by(x))
#define STELE_REQUIRES(...) STELE_TSA_(requires_capability(__VA_ARGS__))
#define STELE_EXCLUDES(...) STELE_TSA_(locks_excluded(__VA_ARGS__))
#define STELE_ACQUIRE(...) STELE_TSA_(acquire_capability(__VA_ARGS__))
#define STELE_RELEASE(...) STELE_TSA_(release_capability(__VA_ARGS__))
#define STELE_NO_TSA STELE_TSA_(no_thread_safety_analysis)

namespace stele {

class STELE_TSA_(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void Lock() STELE_ACQUIRE() { mutex_.lock(); }
  void Unlock() STELE_RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class STELE_TSA_(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) STELE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() STELE_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits may wake without cause: always call in a loop that rechecks.
class CondVar {
 public:
  void Wait(Mutex& mutex) STELE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
  }
  // False if the deadline passed.
  bool WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point deadline)
      STELE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    bool woken = cv_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    lock.release();
    return woken;
  }
  void NotifyOne() { cv_.notify_one(); }
  void NotifyAll() { cv_.notify_all(); }

 private:
  std::condition_variable cv_;
};

}  // namespace stele
