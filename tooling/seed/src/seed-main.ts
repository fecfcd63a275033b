import { changeDemo } from './change-demo.ts';
import { seedAnotherDemo, seedDemo } from './seed.ts';

/** Creates the demo data and sends the login and the keys to the parent process. An argument names an additional demo account; `--change` and the present ones give the account those of DEMO_…. */
const [name, present] = process.argv.slice(2);
const access =
  name === '--change' && present !== undefined
    ? await changeDemo(JSON.parse(present))
    : name === undefined
      ? await seedDemo()
      : await seedAnotherDemo(name);
process.send?.({ access }, () => process.exit(0));
