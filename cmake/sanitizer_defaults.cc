// Defaults of the sanitizer runtimes; each hook is called before main() by the
// runtime that is linked, and is dead code in a plain build. The variables
// ASAN_OPTIONS, LSAN_OPTIONS, TSAN_OPTIONS and UBSAN_OPTIONS still override.

#define STELE_HOOK \
  extern "C"       \
      __attribute__((used, visibility("default"), no_sanitize("address", "thread", "undefined")))

STELE_HOOK const char* __asan_default_options();
STELE_HOOK const char* __lsan_default_options();
STELE_HOOK const char* __tsan_default_options();
STELE_HOOK const char* __ubsan_default_options();

const char* __asan_default_options() {
  return "detect_stack_use_after_return=1:strict_string_checks=1";
}

const char* __lsan_default_options() {
  return "suppressions=" STELE_SUPPRESSIONS_DIR "/asan.supp:print_suppressions=0";
}

const char* __tsan_default_options() {
  return "suppressions=" STELE_SUPPRESSIONS_DIR
         "/tsan.supp:print_suppressions=0:second_deadlock_stack=1";
}

const char* __ubsan_default_options() { return "print_stacktrace=1"; }
