// Compiles the SQLite driver without the cleanup hooks that node_object_wrap.h has had since Node 24.19.
//
// With them, Node 24 aborts when the garbage collector frees a statement between two turns of the event loop:
// "RemoveEnvironmentCleanupHook ... Assertion failed: (env) != nullptr" (nodejs/node#65446). Node 20 and 22 have no such
// hooks, and the driver does not need them: it closes its databases itself when the process ends.
#include <node.h>

#define AddEnvironmentCleanupHook(isolate, hook, object) static_cast<void>(hook)
#define RemoveEnvironmentCleanupHook(isolate, hook, object) static_cast<void>(hook)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
