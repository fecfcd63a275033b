import { seedAnotherDemo, seedDemo } from './seed.ts';

/** Creates the demo data and sends the login and the keys to the parent process. An argument names an additional demo account. */
const [name] = process.argv.slice(2);
const access = name === undefined ? await seedDemo() : await seedAnotherDemo(name);
process.send?.({ access }, () => process.exit(0));
