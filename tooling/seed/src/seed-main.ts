import { seedDemo } from './seed.ts';

/** Creates the demo data and sends the login and the keys to the supervisor. */
const access = await seedDemo();
process.send?.({ access }, () => process.exit(0));
