/** `npm run db:seed`: creates the demo data in the database configured in the environment. */
import { seedDemo } from './seed.ts';

const access = await seedDemo();
process.stdout.write(
  access
    ? `login ${access.email} / ${access.password}\nsecret key ${access.secretKey}\npublic key ${access.publicKey}\n`
    : 'the database has accounts already; nothing was changed\n',
);
