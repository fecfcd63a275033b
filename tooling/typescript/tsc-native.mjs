#!/usr/bin/env node
// The native TypeScript compiler under a separate name: the JavaScript compiler, which dependency-cruiser loads,
// also installs a command `tsc` (docs/decisions/012-two-typescript-compilers.md).
import '../../node_modules/typescript-native/lib/tsc.js';
