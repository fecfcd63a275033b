import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, type Role, userIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '../../testing/index.ts';
import { defaultBrand } from './brand.rules.ts';
import {
  createProject,
  ensureSystemProject,
  getProject,
  listProjects,
  regenerateKeys,
  regenerateWebhookSecret,
  resolveKey,
  resolveMembership,
  sweepSandboxSlots,
  updateProject,
} from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** A person who signed in without naming a project. */
const as = (userId: string): Context => ({
  services: test.services,
  actor: { type: 'user', userId, emailVerified: true, projectId: null, role: null },
  project: null,
  request: { id: newId(), ip: null },
  db: test.services.database.prisma,
});
const person = async () => as(await createTestUser(test.services));
async function member(projectId: string, role: Role): Promise<Context> {
  const userId = await createTestUser(test.services);
  await test.services.database.prisma.member.create({ data: { projectId, userId, role } });
  return as(userId);
}
const secret = { required: 'secret', countRequest: true } as const;

describe('createProject', () => {
  it('201: a project whose keys work and whose owner is the caller', async () => {
    const ctx = await person();
    const project = await createProject.run(ctx, { name: '  Shop  ' });
    expect(project).toMatchObject({
      name: 'Shop',
      public: expect.stringMatching(/^pk_[0-9a-f]{64}$/),
      secret: expect.stringMatching(/^sk_[0-9a-f]{64}$/),
      webhookSecret: expect.any(String),
      disabled: false,
      disabledReason: null,
      tracking: 'ENABLED',
      language: 'en',
      role: 'OWNER',
    });
    const resolved = await resolveKey(test.services, String(project.secret), secret);
    expect(resolved.project.id).toBe(project.id);
    const userId = ctx.actor.type === 'user' ? ctx.actor.userId : '';
    expect(await resolveMembership(test.services, userId, project.id)).toMatchObject({ role: 'OWNER' });
  });

  it('201: stores no key unencrypted', async () => {
    const project = await createProject.run(await person(), { name: 'Shop' });
    const row = await test.services.database.prisma.project.findUniqueOrThrow({ where: { id: project.id } });
    const stored = JSON.stringify(row);
    for (const key of [project.public, String(project.secret), String(project.webhookSecret)]) {
      expect(stored).not.toContain(key.slice(8));
    }
  });

  it('201: leaves an audit row under the new project', async () => {
    const project = await createProject.run(await person(), { name: 'Shop' });
    const rows = await test.services.database.prisma.auditLog.findMany({ where: { projectId: project.id } });
    expect(rows).toEqual([expect.objectContaining({ operation: 'projects.create', targetId: project.id })]);
  });

  it.each(['Café Zürich 東京', "Ada's project (2)", '👩‍💻 team ❤️', 'مشروع'])(
    '201: the name %s',
    async (name) => {
      expect(await createProject.run(await person(), { name })).toMatchObject({ name });
    },
  );

  it.each([
    ['evil\u202Eeman', 'evileman'],
    ['zero\u200Bwidth', 'zerowidth'],
    ['soft\u00ADhyphen', 'softhyphen'],
    ['\u2066isolated', 'isolated'],
    ['Cafe\u0301', 'Café'],
    ['joined\u200D', 'joined\u200D'],
  ])('201: the name %j is stored as %j', async (given, name) => {
    expect(await createProject.run(await person(), { name: given })).toMatchObject({ name });
  });

  it('403 PROJECT_DISABLED: while the caller owns a disabled project', async () => {
    const owned = await createTestProject(test.services);
    await test.services.database.prisma.project.update({ where: { id: owned.id }, data: { disabled: true } });
    await expect(createProject.run(as(owned.ownerId), { name: 'Next' })).rejects.toMatchObject({
      code: 'PROJECT_DISABLED',
    });
  });

  it('409 CONFLICT: above the cap of projects, for concurrent requests too', async () => {
    const owner = await person();
    const services = { ...test.services, config: { ...test.services.config, MAX_PROJECTS_PER_USER: 2 } };
    const attempts = await Promise.allSettled(
      ['A', 'B', 'C', 'D'].map((name) => createProject.run({ ...owner, services }, { name })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(createProject.run({ ...owner, services }, { name: 'E' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('401: with an API key', async () => {
    const project = await createTestProject(test.services);
    await expect(createProject.run(project.ctx, { name: 'Next' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    await expect(createProject.run(project.publicCtx, { name: 'Next' })).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
      message: expect.stringContaining('secret key'),
    });
  });

  it.each([
    [undefined, 'required'],
    [null, 'required'],
    ['   ', 'required'],
    [5, 'invalid_type'],
    ['x'.repeat(101), 'too_big'],
    ['a\tb', 'custom'],
    ['line\nbreak', 'custom'],
    ['\u3164', 'required'],
    ['\u200D', 'required'],
    ['tag\u{E0041}', 'custom'],
    ['nul\0', 'custom'],
  ])('422: the name %j is %s', async (name, code) => {
    await expect(createProject.runRaw(await person(), { name })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field: 'name', code })],
    });
  });
});

describe('listProjects', () => {
  it('200: only those of the user, by name, with the role in each', async () => {
    const ctx = await person();
    const userId = ctx.actor.type === 'user' ? ctx.actor.userId : '';
    for (const name of ['beta', 'Alpha', 'Gamma']) await createProject.run(ctx, { name });
    const foreign = await createTestProject(test.services, { name: 'Delta' });
    await createTestProject(test.services, { name: 'Not mine' });
    await test.services.database.prisma.member.create({
      data: { projectId: foreign.id, userId, role: 'MEMBER' },
    });
    const list = await listProjects.run(ctx, {});
    expect(list.map(({ name, role }) => [name, role])).toEqual([
      ['Alpha', 'OWNER'],
      ['beta', 'OWNER'],
      ['Delta', 'MEMBER'],
      ['Gamma', 'OWNER'],
    ]);
    expect(list[2]).toMatchObject({ secret: null, webhookSecret: null, public: foreign.publicKey });
  });

  it('200: with what the sandbox still sends: of an unproven owner to its members too, counted over all projects of today', async () => {
    const { prisma } = test.services.database;
    const owned = await createTestProject(test.services);
    const userId = owned.ownerId;
    const ctx = await owned.userCtx('OWNER');
    const sandboxes = async (of = ctx) => (await listProjects.run(of, {})).map(({ sandbox }) => sandbox);
    expect(await sandboxes()).toEqual([{ proven: true, sentToday: 0, limit: null }]);

    await prisma.user.update({ where: { id: userId }, data: { emailVerified: false } });
    const days = [new Date(), new Date(), new Date(Date.now() - 86_400_000)];
    await prisma.sandboxSlot.createMany({
      data: days.map((day, n) => ({ userId, day, n: n + 1, emailId: newId() })),
    });
    await createProject.run(ctx, { name: 'Second' });
    const counted = { proven: false, sentToday: 2, limit: 5 };
    expect(await sandboxes()).toEqual([counted, counted]);
    expect(await sandboxes(await owned.userCtx('MEMBER'))).toEqual([counted]);

    await sweepSandboxSlots(test.services, new Date(Date.now() + 9 * 86_400_000), 1_000);
    expect(await prisma.sandboxSlot.count({ where: { userId } })).toBe(0);
  });

  it('200: without deleted ones and without the system project', async () => {
    const ctx = await person();
    const { id } = await createProject.run(ctx, { name: 'Gone' });
    await test.services.database.prisma.project.update({ where: { id }, data: { deletedAt: new Date() } });
    const system = await ensureSystemProject(test.services.database.prisma);
    const userId = ctx.actor.type === 'user' ? ctx.actor.userId : '';
    await test.services.database.prisma.member.create({
      data: { projectId: system.id, userId, role: 'ADMIN' },
    });
    expect(await listProjects.run(ctx, {})).toEqual([]);
  });
});

describe('getProject', () => {
  it('200: secrets for owner and admin, none for a member', async () => {
    const project = await createTestProject(test.services);
    expect(await getProject.run(as(project.ownerId), { id: project.id })).toMatchObject({
      secret: project.secretKey,
      public: project.publicKey,
      role: 'OWNER',
    });
    expect(await getProject.run(await member(project.id, 'ADMIN'), { id: project.id })).toMatchObject({
      secret: project.secretKey,
      role: 'ADMIN',
    });
    expect(await getProject.run(await member(project.id, 'MEMBER'), { id: project.id })).toMatchObject({
      public: project.publicKey,
      secret: null,
      webhookSecret: null,
    });
  });
});

describe('updateProject', () => {
  it('200: changes the given fields and keeps the rest', async () => {
    const project = await createTestProject(test.services, { name: 'Before' });
    const ctx = await member(project.id, 'ADMIN');
    const changed = await updateProject.run(ctx, {
      id: project.id,
      tracking: 'MARKETING_ONLY',
      language: 'de-AT',
      name: null,
    });
    expect(changed).toMatchObject({
      name: 'Before',
      tracking: 'MARKETING_ONLY',
      language: 'de-AT',
      role: 'ADMIN',
    });
    expect(await updateProject.run(ctx, { id: project.id, name: 'After' })).toMatchObject({
      name: 'After',
      language: 'de-AT',
    });
  });

  it('200: the time zone is UTC until it is set, in any case of its letters', async () => {
    const project = await createTestProject(test.services);
    const owner = as(project.ownerId);
    expect((await getProject.run(owner, { id: project.id })).timeZone).toBe('UTC');
    const { timeZone } = await updateProject.run(owner, { id: project.id, timeZone: 'europe/berlin' });
    expect(timeZone).toBe('Europe/Berlin');
    expect((await resolveMembership(test.services, project.ownerId, project.id))?.project).toMatchObject({
      timeZone,
    });
  });

  it('200: the gate before sending is ADVISORY until it is set', async () => {
    const project = await createTestProject(test.services);
    const owner = as(project.ownerId);
    expect((await getProject.run(owner, { id: project.id })).sendGate).toBe('ADVISORY');
    expect(await updateProject.run(owner, { id: project.id, sendGate: 'STRICT' })).toMatchObject({
      sendGate: 'STRICT',
    });
    expect((await updateProject.run(owner, { id: project.id, name: 'Other' })).sendGate).toBe('STRICT');
  });

  it('200: tags of links have defaults, and a change keeps what it does not name', async () => {
    const project = await createTestProject(test.services);
    const owner = as(project.ownerId);
    const set = async (utm: unknown) => (await updateProject.runRaw(owner, { id: project.id, utm })).utm;
    const defaults = { enabled: false, source: 'postrider', medium: 'email', hosts: [] };
    expect((await getProject.run(owner, { id: project.id })).utm).toEqual(defaults);
    expect(
      await set({ hosts: ['Shop.Example', 'bücher.example', 'shop.example'], source: ' news ' }),
    ).toEqual({
      ...defaults,
      ...{ source: 'news', hosts: ['shop.example', 'xn--bcher-kva.example'] },
    });
    expect(await set({ enabled: true, source: null })).toEqual({
      ...defaults,
      ...{ enabled: true, hosts: ['shop.example', 'xn--bcher-kva.example'] },
    });
    await expect(set({ hosts: [] })).rejects.toMatchObject({
      errors: [{ field: 'utm.hosts', code: 'too_small' }],
    });
    expect(await set({ enabled: false, hosts: null })).toEqual(defaults);
    await expect(set({ enabled: true })).rejects.toMatchObject({
      errors: [{ field: 'utm.hosts', code: 'too_small' }],
    });
  });

  it('200: which campaigns need an approval is replaced as a whole, and `above` is null where it says nothing', async () => {
    const project = await createTestProject(test.services);
    const set = async (approval: unknown) =>
      (await updateProject.runRaw(as(project.ownerId), { id: project.id, approval })).approval;
    expect((await getProject.run(as(project.ownerId), { id: project.id })).approval).toEqual({
      ...{ required: 'NEVER', above: null },
    });
    expect(await set({ required: 'ABOVE', above: 500 })).toEqual({ required: 'ABOVE', above: 500 });
    expect(await set(undefined)).toEqual({ required: 'ABOVE', above: 500 });
    expect(await set({ required: 'ALWAYS', above: 7 })).toEqual({ required: 'ALWAYS', above: null });
  });

  it('200: limits per contact are replaced as a whole, have defaults, and are null without any', async () => {
    const project = await createTestProject(test.services);
    const set = async (contactLimits: unknown) =>
      (await updateProject.runRaw(as(project.ownerId), { id: project.id, contactLimits })).contactLimits;
    expect(await set({ caps: [{ max: 3, hours: 24 }] })).toEqual({
      caps: [{ max: 3, hours: 24 }],
      quietHours: null,
      waitHours: 48,
    });
    const night = { from: '22:00', to: '08:00' };
    expect(await set({ caps: null, quietHours: night, waitHours: null })).toEqual({
      caps: [],
      quietHours: night,
      waitHours: 48,
    });
    expect(await set(undefined)).toEqual({ caps: [], quietHours: night, waitHours: 48 });
    expect(await set({})).toBeNull();
    expect(await set(null)).toBeNull();
    expect((await getProject.run(as(project.ownerId), { id: project.id })).contactLimits).toBeNull();
  });

  it.each([
    [{ tracking: 'SOMETIMES' }, 'tracking', 'invalid_enum_value'],
    [{ sendGate: 'OFF' }, 'sendGate', 'invalid_enum_value'],
    [{ approval: { required: 'SOMETIMES' } }, 'approval.required', 'invalid_enum_value'],
    [{ approval: { required: 'ABOVE' } }, 'approval.above', 'required'],
    [{ approval: { required: 'ABOVE', above: -1 } }, 'approval.above', 'too_small'],
    [{ language: 'english' }, 'language', 'invalid_string'],
    [{ language: 'EN' }, 'language', 'invalid_string'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone', 'invalid_timezone'],
    [{ timeZone: '+02:00' }, 'timeZone', 'invalid_timezone'],
    [{ name: '' }, 'name', 'required'],
    [{ utm: { hosts: ['https://shop.example'] } }, 'utm.hosts.0', 'invalid_string'],
    [{ utm: { hosts: Array.from({ length: 21 }, (_, n) => `h${n}.example`) } }, 'utm.hosts', 'too_big'],
    [{ utm: { source: '' } }, 'utm.source', 'required'],
    [{ utm: { medium: 'x'.repeat(101) } }, 'utm.medium', 'too_big'],
    [{ name: 'a\u0007b' }, 'name', 'custom'],
    [{ contactLimits: { caps: [{ max: 0, hours: 1 }] } }, 'contactLimits.caps.0.max', 'too_small'],
    [{ contactLimits: { caps: [{ max: 101, hours: 1 }] } }, 'contactLimits.caps.0.max', 'too_big'],
    [{ contactLimits: { caps: [{ max: 1, hours: 721 }] } }, 'contactLimits.caps.0.hours', 'too_big'],
    [{ contactLimits: { caps: [{ max: 1.5, hours: 1 }] } }, 'contactLimits.caps.0.max', 'invalid_type'],
    [
      { contactLimits: { caps: [1, 2, 3, 4].map((max) => ({ max, hours: 1 })) } },
      'contactLimits.caps',
      'too_big',
    ],
    [
      { contactLimits: { quietHours: { from: '8:00', to: '09:00' } } },
      'contactLimits.quietHours.from',
      'invalid_string',
    ],
    [
      { contactLimits: { quietHours: { from: '24:00', to: '09:00' } } },
      'contactLimits.quietHours.from',
      'invalid_string',
    ],
    [
      { contactLimits: { quietHours: { from: '09:00', to: '09:00' } } },
      'contactLimits.quietHours.to',
      'custom',
    ],
    [
      { contactLimits: { caps: [{ max: 1, hours: 1 }], waitHours: 169 } },
      'contactLimits.waitHours',
      'too_big',
    ],
    [
      { contactLimits: { caps: [{ max: 1, hours: 1 }], waitHours: -1 } },
      'contactLimits.waitHours',
      'too_small',
    ],
  ])('422: %j', async (change, field, code) => {
    const project = await createTestProject(test.services);
    await expect(
      updateProject.runRaw(as(project.ownerId), { id: project.id, ...change }),
    ).rejects.toMatchObject({
      errors: [expect.objectContaining({ field, code })],
    });
  });
});

describe('the brand', () => {
  it('has defaults; absent fields are kept, and null gives a field its default', async () => {
    const project = await createTestProject(test.services);
    const owner = as(project.ownerId);
    const change = async (brand: object) => (await updateProject.run(owner, { id: project.id, brand })).brand;
    expect((await getProject.run(owner, { id: project.id })).brand).toEqual(defaultBrand);
    const logoUrl = 'https://cdn.example.com/logo.png';
    await change({ logoUrl, primaryColor: '#AA00BB', font: 'GEORGIA' });
    expect(await change({ address: ' 1 Main Street ', font: null })).toEqual({
      ...defaultBrand,
      logoUrl,
      primaryColor: '#aa00bb',
      address: '1 Main Street',
    });
    expect(await change({ logoUrl: null })).toMatchObject({ logoUrl: null, primaryColor: '#aa00bb' });
  });

  it.each([
    ['brand.primaryColor', { primaryColor: 'red' }],
    ['brand.textColor', { textColor: '#fff;}' }],
    ['brand.logoUrl', { logoUrl: 'javascript:alert(1)' }],
    ['brand.logoUrl', { logoUrl: '/logo.png' }],
    ['brand.font', { font: 'Comic Sans' }],
    ['brand.address', { address: 'two\nlines' }],
  ])('is refused with an invalid %s: %j', async (field, brand) => {
    const project = await createTestProject(test.services);
    await expect(updateProject.runRaw(as(project.ownerId), { id: project.id, brand })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field }],
    });
  });
});

describe('requireSecondFactor', () => {
  const protect = (userId: string) =>
    test.services.database.prisma.authenticatorApp.create({
      data: { id: newId(), userId, secretCipher: '', confirmedAt: new Date() },
    });

  it('keeps members without a second factor out of the project, until they have one', async () => {
    const owner = await person();
    const { id } = await createProject.run(owner, { name: 'Shop' });
    const turnOn = () => updateProject.run(owner, { id, requireSecondFactor: true });
    await expect(turnOn()).rejects.toMatchObject({ code: 'CONFLICT' });
    await protect(userIdOf(owner));
    expect(await turnOn()).toMatchObject({ requireSecondFactor: true });

    const colleague = await member(id, 'ADMIN');
    await expect(getProject.run(colleague, { id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { secondFactorRequired: true },
    });
    await protect(userIdOf(colleague));
    expect(await getProject.run(colleague, { id })).toMatchObject({ id });
  });

  it('does not count an app that was never confirmed', async () => {
    const owner = await person();
    const { id } = await createProject.run(owner, { name: 'Shop' });
    await test.services.database.prisma.authenticatorApp.create({
      data: { id: newId(), userId: userIdOf(owner), secretCipher: '' },
    });
    await expect(updateProject.run(owner, { id, requireSecondFactor: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('regenerateKeys', () => {
  it('200: both keys are new and work, both old ones stop at once', async () => {
    const project = await createTestProject(test.services);
    const fresh = await regenerateKeys.run(as(project.ownerId), { id: project.id });
    expect(fresh.public).not.toBe(project.publicKey);
    expect(fresh.secret).not.toBe(project.secretKey);
    expect(await resolveKey(test.services, String(fresh.secret), secret)).toMatchObject({
      project: { id: project.id },
    });
    const asPublic = { required: 'public', countRequest: true } as const;
    expect(await resolveKey(test.services, fresh.public, asPublic)).toMatchObject({
      project: { id: project.id },
    });
    await expect(resolveKey(test.services, project.secretKey, secret)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
    });
    await expect(resolveKey(test.services, project.publicKey, asPublic)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
    });
  });
});

describe('regenerateWebhookSecret', () => {
  it('200: a new secret, and the keys stay', async () => {
    const ctx = await person();
    const before = await createProject.run(ctx, { name: 'Webhooks' });
    const after = await regenerateWebhookSecret.run(ctx, { id: before.id });
    expect(after.webhookSecret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(after.webhookSecret).not.toBe(before.webhookSecret);
    expect([after.public, after.secret]).toEqual([before.public, before.secret]);
  });
});

describe.each([
  ['getProject', getProject, ['OWNER', 'ADMIN', 'MEMBER']],
  ['updateProject', updateProject, ['OWNER', 'ADMIN']],
  ['regenerateKeys', regenerateKeys, ['OWNER', 'ADMIN']],
  ['regenerateWebhookSecret', regenerateWebhookSecret, ['OWNER', 'ADMIN']],
] as const)('%s', (_name, operation, roles) => {
  it('403 PROJECT_ACCESS_DENIED: for a foreign project, a deleted one and one that does not exist', async () => {
    const ctx = await person();
    const foreign = await createTestProject(test.services);
    const gone = await createTestProject(test.services);
    await test.services.database.prisma.project.update({
      where: { id: gone.id },
      data: { deletedAt: new Date() },
    });
    await expect(operation.run(ctx, { id: foreign.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
    await expect(operation.run(ctx, { id: newId() })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
    await expect(operation.run(as(gone.ownerId), { id: gone.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });

  it('403 FORBIDDEN: for roles below', async () => {
    const project = await createTestProject(test.services);
    for (const role of ['ADMIN', 'MEMBER'] as const) {
      const attempt = operation.run(await member(project.id, role), { id: project.id });
      if ((roles as readonly string[]).includes(role))
        expect(await attempt).toMatchObject({ id: project.id });
      else await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  it('422: for an id that is not a UUID', async () => {
    await expect(operation.run(await person(), { id: 'nonsense' })).rejects.toMatchObject({
      errors: [expect.objectContaining({ field: 'id', code: 'invalid_string' })],
    });
  });
});

it('concurrent calls create one system project', async () => {
  const all = await Promise.all(
    Array.from({ length: 4 }, () => ensureSystemProject(test.services.database.prisma)),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(await test.services.database.prisma.project.count({ where: { kind: 'SYSTEM' } })).toBe(1);
});
