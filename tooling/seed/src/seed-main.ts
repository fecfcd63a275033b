import { seedDemo } from './seed.ts';

/** Makes the demo data and hands the login and the keys to the supervisor. */
const access = await seedDemo();
process.send?.({ access }, () => process.exit(0));
