/** Loaded before a program (`--import`): answers each message of its parent with the packages whose modules it has loaded. */
import { registerHooks } from 'node:module';

const packages = new Set<string>();

registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});

process.on('message', (message) => {
  if (message === 'packages') process.send?.({ type: 'packages', packages: [...packages] });
});
