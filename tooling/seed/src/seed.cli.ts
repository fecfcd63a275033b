/** `npm run db:seed`: makes the demo data in the database that the environment names. */
import { seedDemo } from './seed.ts';

const access = await seedDemo();
process.stdout.write(
  access
    ? `login ${access.email} / ${access.password}\nsecret key ${access.secretKey}\npublic key ${access.publicKey}\n`
    : 'the database has accounts already; nothing was changed\n',
);
