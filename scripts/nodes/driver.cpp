// node-gyp compiles no file outside of its folder.
#include "better_sqlite3.cpp"
