#!/usr/bin/env node
// The native TypeScript compiler under a name of its own: the compiler in JavaScript, which dependency-cruiser loads,
// also installs a command `tsc` (docs/decisions/012-two-typescript-compilers.md).
import '../../node_modules/typescript-native/lib/tsc.js';
