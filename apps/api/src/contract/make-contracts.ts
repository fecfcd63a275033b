import { composeServices } from '@postrider/core/adapters';
import { readConfig } from '@postrider/core/base/kernel';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { pino } from 'pino';
import { createApp } from '../app.ts';
import { schema } from '../graphql/schema.ts';
import { doorsOf } from './doors.ts';
import { endpointsOf } from './endpoints.ts';
import { parityText } from './parity.ts';

export interface Contract {
  file: string;
  text: string;
}

/** The contracts of the API as text, made from the built app, so that they cannot differ from what is served. */
export async function makeContracts(): Promise<Contract[]> {
  // No connection is made: the documents depend only on the code.
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none', APP_SECRET: '-'.repeat(32) });
  const services = composeServices(config, pino({ level: 'silent' }));
  const app = createApp(services);
  try {
    const response = await app.inject({ url: '/openapi.json' });
    if (response.statusCode !== 200)
      throw new Error('the OpenAPI document cannot be made; run its test for the reason');
    return [
      { file: 'openapi.json', text: `${JSON.stringify(response.json(), null, 2)}\n` },
      { file: 'schema.graphql', text: `${printSchema(lexicographicSortSchema(schema))}\n` },
      { file: 'parity.md', text: parityText(doorsOf(await endpointsOf(services))) },
    ];
  } finally {
    await app.close();
    await services.close();
  }
}

export const contractsFolder = new URL('../../contracts/', import.meta.url);
const docsFolder = new URL('../../../../docs/', import.meta.url);

/** Where a contract is committed. */
export const contractPath = ({ file }: Contract): URL =>
  new URL(file, file.endsWith('.md') ? docsFolder : contractsFolder);
