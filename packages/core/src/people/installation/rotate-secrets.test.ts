import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cipherColumns, createSecrets, type Services } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { loadSigningKeys } from '../domains/index.ts';
import { getProject, regenerateKeys, resolveKey } from '../projects/index.ts';
import { checkSecrets } from './check-secrets.ts';
import { rotateSecrets } from './rotate-secrets.ts';

const old = 'the-secret-before-the-rotation-0123456789';
const current = 'the-secret-after-the-rotation-0123456789';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** The services of a process that was started with these values of APP_SECRET and APP_SECRET_PREVIOUS. */
const startedWith = (secret: string, ...previous: string[]): Services => ({
  ...test.services,
  secrets: createSecrets(secret, previous),
});

const ownerOf = async (project: TestProject, services: Services) => ({
  ...(await project.userCtx('OWNER')),
  services,
});

it('the list of ciphertext columns is that of the database', async () => {
  const { rows } = await test.services.database.durable.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS "name" FROM information_schema.columns
     WHERE table_schema = current_schema() AND (column_name LIKE '%Cipher' OR column_name LIKE 'sealed%')`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...cipherColumns].sort());
});

it('a rotation while keys are replaced and read loses nothing, and the old secret can then be forgotten', async () => {
  const before = startedWith(old);
  const during = startedWith(current, old);
  const projects = await Promise.all(Array.from({ length: 12 }, () => createTestProject(before)));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const domains = await Promise.all(
    projects.map(({ id }, index) =>
      verifiedDomain(before, id, `sender-${index}.test`, { privateKeyPem, algorithm: 'rsa-sha256' }),
    ),
  );

  const load = projects.slice(0, 6).map(async (project) => {
    for (let round = 0; round < 5; round += 1) {
      const { secret } = await regenerateKeys.run(await ownerOf(project, during), { id: project.id });
      expect((await getProject.run(await ownerOf(project, during), { id: project.id })).secret).toBe(secret);
    }
  });
  const [first] = await Promise.all([rotateSecrets(during), ...load]);
  // Interrupted or repeated, a rotation finds only what is left.
  const again = await rotateSecrets(during);

  expect([...first, ...again].flatMap(({ unreadable }) => unreadable)).toEqual([]);
  expect((await rotateSecrets(during)).every(({ rotated }) => rotated === 0)).toBe(true);
  const after = startedWith(current);
  for (const project of projects) {
    const shown = await getProject.run(await ownerOf(project, after), { id: project.id });
    expect(shown.webhookSecret).toMatch(/\S/);
    expect(
      (
        await resolveKey(after, shown.secret ?? '', {
          required: 'secret',
          idempotencyKey: undefined,
          countRequest: false,
        })
      ).project.id,
    ).toBe(project.id);
  }
  const keys = await loadSigningKeys(after, domains);
  expect([...keys.values()].map(({ privateKey: key }) => key.equals(privateKey))).toEqual(
    projects.map(() => true),
  );
});

it('names the rows whose secret is not listed, and rotates the others', async () => {
  const lost = await createTestProject(startedWith('a-secret-that-is-listed-nowhere-012345678'));
  const kept = await createTestProject(startedWith(old));
  const results = await rotateSecrets(startedWith(current, old));
  const secretKeys = results.find(({ column }) => column === 'Project.secretKeyCipher');
  expect(secretKeys).toMatchObject({ unreadable: [lost.id] });
  const shown = await getProject.run(await ownerOf(kept, startedWith(current)), { id: kept.id });
  expect(shown.secret).toBe(kept.secretKey);
});

it('what is encrypted is counted by secret: an old one may go once nothing needs it, but for the oldest', async () => {
  const [oldest, middle] = [
    'the-oldest-secret-0123456789-0123456789',
    'the-middle-secret-0123456789-0123456789',
  ];
  await createTestProject(startedWith(middle));
  const services = startedWith(current, middle, oldest);
  const states = async () => (await checkSecrets(services)).secrets.map(({ state }) => state);
  expect(await states()).toEqual(['current', 'needed', 'oldest']);
  const before = await checkSecrets(services);
  expect(before.secrets[1]).toMatchObject({ position: 1, ciphers: 3 });
  await rotateSecrets(services);
  expect(await states()).toEqual(['current', 'unneeded', 'oldest']);
  const other = startedWith('a-secret-of-another-0123456789-0123456789');
  const unlisted = await checkSecrets(other);
  expect(unlisted.unknown).toContainEqual({
    column: 'Project.secretKeyCipher',
    id: services.secrets.checks[0]?.id,
    ciphers: expect.any(Number),
  });
});
