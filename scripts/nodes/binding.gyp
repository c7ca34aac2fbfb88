# Compiles the SQLite driver for another version of Node. SQLite itself, which takes longest, is not compiled again.
{
  "variables": { "driver": "../../../node_modules/better-sqlite3" },
  "targets": [
    {
      "target_name": "better_sqlite3",
      "sources": ["driver.cpp"],
      "include_dirs": ["<(driver)/src", "<(driver)/deps/sqlite3"],
      "libraries": ["<(module_root_dir)/<(driver)/build/Release/sqlite3.a"],
      # Tests do not need it faster.
      "cflags_cc!": ["-O3"],
      "cflags!": ["-O3"],
      "cflags_cc": ["-std=c++20", "-O1"],
      "ldflags": ["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"],
    },
  ],
}
