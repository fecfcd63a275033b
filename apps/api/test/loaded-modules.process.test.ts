import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { loadedOnFirstUse, loadedPackages, notingModules } from '@postrider/core/testing/loaded-packages.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedApi, serveApi } from './served-api.ts';

let test: TestServices;
let api: ServedApi;

beforeAll(async () => {
  test = await createTestServices();
  api = await serveApi(test.services, {}, notingModules);
});
afterAll(async () => {
  await api.stop();
  await test.close();
});

it('a started api has loaded nothing that only some requests need', async () => {
  const loaded = await loadedPackages(api.process);
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'zod', 'pg']));
  expect(loadedOnFirstUse.filter((name) => loaded.includes(name))).toEqual([]);
});

it('the first request to GraphQL loads its schema, and is answered', async () => {
  const { secretKey } = await createTestProject(test.services);
  const answer = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ contacts(first: 1) { edges { node { id } } } }' }),
  });
  expect(await answer.json()).toMatchObject({ data: { contacts: { edges: [] } } });
  expect(await loadedPackages(api.process)).toEqual(expect.arrayContaining(['graphql', '@pothos/core']));
});
