import { composeServices, createLog } from '@postrider/core/adapters';
import { readConfig } from '@postrider/core/base/kernel';
import { createApp } from '../src/app.ts';
import { startProvider } from './identity-provider.ts';

/**
 * A process with an api on the database of its environment, whose sign-in providers are on this machine. A message to it is the person
 * whom they sign in next; each is confirmed with a message. It ends when it is disconnected.
 */
const provider = await startProvider();
const client = { issuer: provider.issuer, clientId: 'postrider', clientSecret: 'secret' };
const services = composeServices(
  {
    ...readConfig(process.env),
    signInProviders: { github: { ...client, apiUrl: provider.apiUrl }, google: client, oidc: client },
  },
  createLog({ level: 'silent' }),
);
const app = createApp(services);
await app.listen({ port: services.config.PORT, host: '127.0.0.1' });

process.on('message', (person: Parameters<typeof provider.signIn>[0]) => {
  provider.signIn(person);
  process.send?.('set');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
