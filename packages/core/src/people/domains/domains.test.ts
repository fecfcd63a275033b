import { createPublicKey } from 'node:crypto';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Context, EngineWatch } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import {
  createDomain,
  deleteDomain,
  listDomains,
  loadSigningKeys,
  requireVerifiedSender,
  verifyDomain,
} from './index.ts';

let test: TestServices;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDns();
  test = await createTestServices({ env: { DNS_SERVERS: dns.address, MAIL_HOST: 'mail.sender.net' } });
});
afterAll(async () => {
  await test.close();
  await dns.stop();
});

let names = 0;
const freshName = () => `shop${++names}.example`;
type Domain = Awaited<ReturnType<typeof createDomain.run>>;

const recordOf = (domain: Domain, purpose: string) => {
  const found = domain.records.find((record) => record.purpose === purpose);
  if (!found) throw new Error(`no ${purpose} record`);
  return found;
};
function publish(domain: Domain): void {
  const { name, value } = recordOf(domain, 'DKIM');
  dns.set(name, 'TXT', [value]);
}
const rowOf = (id: string) => test.services.database.prisma.domain.findUniqueOrThrow({ where: { id } });
async function verified(project: TestProject, name = freshName()): Promise<Domain> {
  const made = await createDomain.run(project.ctx, { domain: name });
  await test.services.database.prisma.domain.update({ where: { id: made.id }, data: { status: 'VERIFIED' } });
  return made;
}

describe('createDomain', () => {
  it('201: PENDING, with the records to create and no check yet', async () => {
    const project = await createTestProject(test.services);
    const name = freshName();
    const domain = await createDomain.run(project.ctx, {
      domain: ` ${name.toUpperCase()} `,
      projectId: project.id,
    });
    expect(domain).toMatchObject({
      projectId: project.id,
      domain: name,
      status: 'PENDING',
      verified: false,
      lastCheckedAt: null,
      verifiedAt: null,
    });
    expect(
      domain.records.map(({ type, purpose, required, found }) => [type, purpose, required, found]),
    ).toEqual([
      ['TXT', 'DKIM', true, null],
      ['TXT', 'SPF', false, null],
      ['MX', 'MX', false, null],
      ['TXT', 'DMARC', false, null],
    ]);
    expect(recordOf(domain, 'DKIM').name).toMatch(new RegExp(`^pr[0-9a-f]{8}\\._domainkey\\.${name}$`));
    expect(recordOf(domain, 'MX')).toMatchObject({
      name: `bounces.${name}`,
      value: 'mail.sender.net',
      priority: 10,
    });
  });

  it('201: with a separate RSA key of 2048 bits, whose private half is always encrypted', async () => {
    const project = await createTestProject(test.services);
    const [one, other] = [
      await createDomain.run(project.ctx, { domain: freshName() }),
      await createDomain.run(project.ctx, { domain: freshName() }),
    ];
    const keyOf = (domain: Domain) => String(/p=(.*)$/.exec(recordOf(domain, 'DKIM').value)?.[1]);
    expect(keyOf(one)).not.toBe(keyOf(other));
    const published = createPublicKey({
      key: Buffer.from(keyOf(one), 'base64'),
      format: 'der',
      type: 'spki',
    });
    expect(published.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const signing = (await loadSigningKeys(test.services, [one.id])).get(one.id);
    expect(signing?.domain).toBe(one.domain);
    expect(recordOf(one, 'DKIM').name).toBe(`${signing?.selector}._domainkey.${one.domain}`);
    expect(signing && createPublicKey(signing.privateKey).equals(published)).toBe(true);
    const rows = await test.services.database.prisma.domainKey.findMany();
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
  });

  it('201: an international name in punycode', async () => {
    const project = await createTestProject(test.services);
    expect(await createDomain.run(project.ctx, { domain: 'München.example' })).toMatchObject({
      domain: 'xn--mnchen-3ya.example',
    });
  });

  it('201: leaves a row for reconcile to find, and an audit row', async () => {
    const project = await createTestProject(test.services);
    const { id } = await createDomain.run(project.ctx, { domain: freshName() });
    const row = await rowOf(id);
    expect(row.wakeSeq).toBeGreaterThan(row.seenSeq);
    const audit = await test.services.database.prisma.auditLog.findMany({ where: { targetId: id } });
    expect(audit).toEqual([expect.objectContaining({ operation: 'domains.create', projectId: project.id })]);
  });

  it('201: a name that is PENDING elsewhere, with a separate key', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const domain = freshName();
    const there = await createDomain.run(one.ctx, { domain });
    const here = await createDomain.run(other.ctx, { domain });
    expect(recordOf(here, 'DKIM').value).not.toBe(recordOf(there, 'DKIM').value);
  });

  describe('a name that another project has verified', () => {
    const join = async (project: TestProject, userId: string, role: 'ADMIN' | 'MEMBER') =>
      test.services.database.prisma.member.create({ data: { projectId: project.id, userId, role } });
    const mailsAbout = async (domain: string) => {
      const { prisma } = test.services.database;
      const subject = `${domain} was added to another project`;
      const contents = await prisma.content.findMany({ where: { subject }, select: { id: true } });
      return prisma.email.findMany({ where: { contentId: { in: contents.map(({ id }) => id) } } });
    };

    it('201 for an owner or admin there: with a separate key, selector and proof, and a notice to the owners and admins there', async () => {
      const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
      const there = await verified(one);
      await join(one, other.ownerId, 'ADMIN');
      const here = await createDomain.run(await other.userCtx('OWNER'), { domain: there.domain });
      expect(here.status).toBe('PENDING');
      expect(recordOf(here, 'DKIM').value).not.toBe(recordOf(there, 'DKIM').value);
      expect(recordOf(here, 'DKIM').name).not.toBe(recordOf(there, 'DKIM').name);
      const leaders = await test.services.database.prisma.member.findMany({
        where: { projectId: one.id, role: { in: ['OWNER', 'ADMIN'] } },
        include: { user: true },
      });
      const told = (await mailsAbout(there.domain)).map(({ to }) => to).sort();
      expect(told).toEqual(leaders.map(({ user }) => user.email).sort());
      expect(told.length).toBe(2);

      // The record of the other project proves nothing here.
      publish(there);
      expect((await verifyDomain.run(other.ctx, { id: here.id })).verified).toBe(false);
      publish(here);
      expect((await verifyDomain.run(other.ctx, { id: here.id })).verified).toBe(true);
      await deleteDomain.run(one.ctx, { id: there.id });
      expect((await loadSigningKeys(test.services, [here.id])).has(here.id)).toBe(true);
      await deleteDomain.run(other.ctx, { id: here.id });
      expect(await test.services.database.prisma.domainKey.count({ where: { domain: there.domain } })).toBe(
        0,
      );
    });

    it('409 for a MEMBER there, for a key, and for an owner of only one of two such projects', async () => {
      const [one, two, other] = [
        await createTestProject(test.services),
        await createTestProject(test.services),
        await createTestProject(test.services),
      ];
      const { domain } = await verified(one);
      const refused = { code: 'CONFLICT', message: `The domain ${domain} is verified in another project` };
      await expect(createDomain.run(other.ctx, { domain })).rejects.toMatchObject(refused);
      await join(one, other.ownerId, 'MEMBER');
      await expect(createDomain.run(await other.userCtx('OWNER'), { domain })).rejects.toMatchObject(refused);
      await test.services.database.prisma.member.updateMany({
        where: { projectId: one.id, userId: other.ownerId },
        data: { role: 'ADMIN' },
      });
      await verifiedDomain(test.services, two.id, domain);
      await expect(createDomain.run(await other.userCtx('OWNER'), { domain })).rejects.toMatchObject(refused);
      expect(await mailsAbout(domain)).toEqual([]);
      expect((await listDomains.run(other.ctx, { projectId: other.id })).length).toBe(0);
    });
  });

  it('403 FORBIDDEN: for a MEMBER; an ADMIN may', async () => {
    const project = await createTestProject(test.services);
    await expect(
      createDomain.run(await project.userCtx('MEMBER'), { domain: freshName() }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await createDomain.run(await project.userCtx('ADMIN'), { domain: freshName() })).toMatchObject({
      status: 'PENDING',
    });
  });

  it('409 CONFLICT: above the cap of domains, for concurrent requests too', async () => {
    const project = await createTestProject(test.services);
    const config = { ...test.services.config, MAX_DOMAINS_PER_PROJECT: 1 };
    const ctx = { ...project.ctx, services: { ...test.services, config } };
    const attempts = await Promise.allSettled(
      ['one', 'two', 'three'].map((name) => createDomain.run(ctx, { domain: `${name}.cap.example` })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = attempts.filter((attempt) => attempt.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(2).fill(expect.objectContaining({ code: 'CONFLICT' })));
  });

  it('403 PROJECT_ACCESS_DENIED: another projectId than that of the request', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    await expect(
      createDomain.run(one.ctx, { domain: freshName(), projectId: other.id }),
    ).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });

  it('403 PROJECT_DISABLED: on a disabled project', async () => {
    const project = await createTestProject(test.services);
    const ctx: Context = { ...project.ctx, project: { ...project.project, disabled: true } };
    await expect(createDomain.run(ctx, { domain: freshName() })).rejects.toMatchObject({
      code: 'PROJECT_DISABLED',
    });
  });

  it('409: a name that the project already has, also for concurrent requests', async () => {
    const project = await createTestProject(test.services);
    const domain = freshName();
    const attempts = await Promise.allSettled(
      Array.from({ length: 3 }, () => createDomain.run(project.ctx, { domain })),
    );
    const refused = attempts
      .filter((attempt) => attempt.status === 'rejected')
      .map(({ reason }) => reason.code);
    expect(refused).toEqual(['CONFLICT', 'CONFLICT']);
  });

  it('409: a name VERIFIED in a foreign project, and for a key even in a project of the same user', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const { domain } = await verified(one);
    await expect(createDomain.run(await other.userCtx('OWNER'), { domain })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await test.services.database.prisma.member.create({
      data: { projectId: one.id, userId: other.ownerId, role: 'MEMBER' },
    });
    await expect(createDomain.run(other.ctx, { domain })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it.each([
    [{}, 'required'],
    [{ domain: '' }, 'required'],
    [{ domain: null }, 'required'],
    [{ domain: 7 }, 'invalid_type'],
    [{ domain: 'ab' }, 'too_small'],
    [{ domain: `${'a.'.repeat(127)}example` }, 'too_big'],
    [{ domain: 'localhost' }, 'invalid_string'],
    [{ domain: 'https://example.com' }, 'invalid_string'],
    [{ domain: 'example.com:25' }, 'invalid_string'],
    [{ domain: 'example.com.' }, 'invalid_string'],
    [{ domain: '192.0.2.1' }, 'invalid_string'],
  ])('422: %j is %s', async (input, code) => {
    const project = await createTestProject(test.services);
    await expect(createDomain.runRaw(project.ctx, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field: 'domain', code })],
    });
    expect(await test.services.database.prisma.domain.count({ where: { projectId: project.id } })).toBe(0);
  });
});

describe('listDomains', () => {
  it("200: the project's own, newest first, for every role and the secret key", async () => {
    const [project, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const first = await createDomain.run(project.ctx, { domain: freshName() });
    const second = await createDomain.run(project.ctx, { domain: freshName() });
    await createDomain.run(other.ctx, { domain: freshName() });
    for (const ctx of [project.ctx, await project.userCtx('MEMBER')]) {
      const list = await listDomains.run(ctx, { projectId: project.id });
      expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
    }
  });

  it('403 PROJECT_ACCESS_DENIED: another project than that of the key', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    await expect(listDomains.run(one.ctx, { projectId: other.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });
});

describe('verifyDomain, while Temporal is unavailable', () => {
  it('200: VERIFIED once the required record is there; recommended ones do not decide', async () => {
    const project = await createTestProject(test.services);
    const domain = await createDomain.run(project.ctx, { domain: freshName() });
    publish(domain);
    const checked = await verifyDomain.run(await project.userCtx('MEMBER'), { id: domain.id });
    expect(checked).toMatchObject({
      status: 'VERIFIED',
      verified: true,
      lastCheckedAt: expect.any(String),
      verifiedAt: expect.any(String),
    });
    expect(checked.records.map(({ purpose, found }) => [purpose, found])).toEqual([
      ['DKIM', true],
      ['SPF', false],
      ['MX', false],
      ['DMARC', false],
    ]);
    const row = await rowOf(domain.id);
    expect(row.wakeSeq).toBeGreaterThan(row.seenSeq);
  });

  it.each([
    ['is not asked while the engine is known to be away', false, 0],
    ['that does not answer, though the engine does, is replaced by a check here', true, 1],
  ])('a watcher %s', async (_title, answers, asked) => {
    const project = await createTestProject(test.services);
    const domain = await createDomain.run(project.ctx, { domain: freshName() });
    publish(domain);
    const request = vi.fn(() => Promise.reject(new Error('no worker')));
    const services = {
      ...test.services,
      engine: new EngineWatch({ healthy: async () => answers }),
      workflows: { ...test.services.workflows, request },
    };
    const checked = await verifyDomain.run({ ...project.ctx, services }, { id: domain.id });
    expect(checked).toMatchObject({ status: 'VERIFIED', lastCheckedAt: expect.any(String) });
    expect(request).toHaveBeenCalledTimes(asked);
  });

  it('a check waits for one of the same domain that is being written', async () => {
    const project = await createTestProject(test.services);
    const domain = await createDomain.run(project.ctx, { domain: freshName() });
    publish(domain);
    let checked: Promise<{ status: string }> | undefined;
    await test.services.database.prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 AS one FROM "Domain" WHERE "id" = ${domain.id}::uuid FOR NO KEY UPDATE`;
      checked = verifyDomain.run(project.ctx, { id: domain.id });
      await waitForLock(test.services.database);
      expect((await rowOf(domain.id)).status).toBe('PENDING');
    });
    expect(await checked).toMatchObject({ status: 'VERIFIED' });
  });

  it('404 DOMAIN_NOT_FOUND: an unknown id, or one of another project', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const foreign = await createDomain.run(other.ctx, { domain: freshName() });
    for (const id of [newId(), foreign.id]) {
      await expect(verifyDomain.run(one.ctx, { id })).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    }
  });

  it('422: an id that is not a UUID', async () => {
    const project = await createTestProject(test.services);
    await expect(verifyDomain.run(project.ctx, { id: 'x' })).rejects.toMatchObject({
      errors: [expect.objectContaining({ field: 'id', code: 'invalid_string' })],
    });
  });
});

describe('deleteDomain', () => {
  const sender = (domain: Domain) => `news@${domain.domain}`;
  const template = (projectId: string, from: string) =>
    test.services.database.prisma.template.create({
      data: { id: newId(), projectId, name: 'T', subject: 'S', body: 'B', from },
    });
  const campaign = (
    projectId: string,
    from: string,
    status: 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'SENT' | 'CANCELLED',
  ) =>
    test.services.database.prisma.campaign.create({
      data: { id: newId(), projectId, name: 'C', subject: 'S', body: 'B', from, status, audienceType: 'ALL' },
    });

  it('204: removed at once, also as a sender', async () => {
    const project = await createTestProject(test.services);
    const domain = await verified(project);
    expect(await requireVerifiedSender(project.ctx, sender(domain))).toEqual({
      domainId: domain.id,
      domain: domain.domain,
    });
    expect(await deleteDomain.run(project.ctx, { id: domain.id })).toEqual({});
    expect(await listDomains.run(project.ctx, {})).toEqual([]);
    await expect(requireVerifiedSender(project.ctx, sender(domain))).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      kind: 'forbidden',
      message: expect.stringContaining(domain.domain),
    });
    expect(await test.services.database.prisma.domainKey.count({ where: { domain: domain.domain } })).toBe(0);
  });

  it('204: waiting email of it is FAILED, claimed email and email of other domains is unchanged', async () => {
    const project = await createTestProject(test.services);
    const domain = await verified(project);
    const other = await verified(project);
    const waiting = await email(project, domain.id);
    const later = await email(project, domain.id, { nextAttemptAt: new Date(Date.now() + 3_600_000) });
    const held = await email(project, domain.id, { token: newId() });
    const resend = await email(project, domain.id, { status: 'UNCERTAIN' });
    const foreign = await email(project, other.id);
    await deleteDomain.run(project.ctx, { id: domain.id });
    const { prisma } = test.services.database;
    const states = Object.fromEntries(
      (await prisma.email.findMany({ where: { projectId: project.id } })).map(
        ({ id, status, error, reason }) => [id, [status, error, reason]],
      ),
    );
    expect(states).toEqual({
      [waiting]: ['FAILED', 'sender domain removed', null],
      [later]: ['FAILED', 'sender domain removed', null],
      [held]: ['PENDING', null, null],
      [resend]: ['UNCERTAIN', null, null],
      [foreign]: ['PENDING', null, null],
    });
    const left = await prisma.deliveryBatch.findMany({ where: { projectId: project.id } });
    expect(left.flatMap(({ emailIds }) => emailIds).sort()).toEqual([held, foreign].sort());
    const told = await prisma.event.findMany({ where: { projectId: project.id, name: 'email.failed' } });
    expect(told.map(({ emailId, kind }) => [emailId, kind]).sort()).toEqual(
      [
        [waiting, 'ACTIVITY'],
        [later, 'ACTIVITY'],
      ].sort(),
    );
  });

  it('204: while only finished campaigns, or templates of another domain, use it', async () => {
    const project = await createTestProject(test.services);
    const domain = await verified(project);
    await campaign(project.id, sender(domain), 'SENT');
    await campaign(project.id, sender(domain), 'CANCELLED');
    await template(project.id, `news@sub.${domain.domain}`);
    await template((await createTestProject(test.services)).id, sender(domain));
    expect(await deleteDomain.run(project.ctx, { id: domain.id })).toEqual({});
  });

  it('403 FORBIDDEN: for a MEMBER', async () => {
    const project = await createTestProject(test.services);
    const domain = await verified(project);
    await expect(deleteDomain.run(await project.userCtx('MEMBER'), { id: domain.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('404 DOMAIN_NOT_FOUND: an unknown id, a foreign one, and the second time', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const domain = await verified(other);
    for (const id of [newId(), domain.id]) {
      await expect(deleteDomain.run(one.ctx, { id })).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    }
    await deleteDomain.run(other.ctx, { id: domain.id });
    await expect(deleteDomain.run(other.ctx, { id: domain.id })).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
  });

  it('409: while a template uses it as sender', async () => {
    const project = await createTestProject(test.services);
    const domain = await verified(project);
    await template(project.id, sender(domain));
    await expect(deleteDomain.run(project.ctx, { id: domain.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await rowOf(domain.id)).toMatchObject({ status: 'VERIFIED' });
  });

  it.each(['DRAFT', 'SCHEDULED', 'SENDING'] as const)(
    '409: while a campaign in %s is sent from it',
    async (status) => {
      const project = await createTestProject(test.services);
      const domain = await verified(project);
      await campaign(project.id, sender(domain), status);
      await expect(deleteDomain.run(project.ctx, { id: domain.id })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    },
  );

  async function email(
    project: TestProject,
    domainId: string,
    {
      status = 'PENDING',
      ...batch
    }: { status?: 'PENDING' | 'UNCERTAIN'; token?: string; nextAttemptAt?: Date } = {},
  ): Promise<string> {
    const { prisma } = test.services.database;
    const [id, contentId, batchId] = [newId(), newId(), newId()];
    const projectId = project.id;
    await prisma.content.create({
      data: {
        id: contentId,
        projectId,
        hash: Buffer.from(contentId),
        type: 'TRANSACTIONAL',
        sourceType: 'TRANSACTIONAL',
        subject: 'S',
        from: 'a@b.example',
        projectName: 'P',
      },
    });
    await prisma.email.create({
      data: {
        id,
        projectId,
        to: 'ada@example.net',
        type: 'TRANSACTIONAL',
        sourceType: 'TRANSACTIONAL',
        contentId,
        status,
        batchId,
        uncertainAt: status === 'UNCERTAIN' ? new Date() : null,
      },
    });
    await prisma.deliveryBatch.create({
      data: { id: batchId, projectId, priority: 1, domainId, emailIds: [id], ...batch },
    });
    return id;
  }
});

describe('requireVerifiedSender', () => {
  it('403: a sub-domain, a pending domain, and the domain of another project', async () => {
    const [project, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    const name = freshName();
    await verifiedDomain(test.services, project.id, name);
    const pending = await createDomain.run(project.ctx, { domain: freshName() });
    const foreign = await verified(other);
    expect(await requireVerifiedSender(project.ctx, `a@${name.toUpperCase()}`)).toMatchObject({
      domain: name,
    });
    for (const domain of [`sub.${name}`, pending.domain, foreign.domain]) {
      await expect(requireVerifiedSender(project.ctx, `a@${domain}`)).rejects.toMatchObject({
        code: 'INTERNAL_SERVER_ERROR',
        kind: 'forbidden',
        message: expect.stringContaining(domain),
      });
    }
  });
});

it('loadSigningKeys omits deleted domains and those that do not sign', async () => {
  const project = await createTestProject(test.services);
  const unsigned = await verifiedDomain(test.services, project.id, freshName());
  expect(await loadSigningKeys(test.services, [unsigned, newId()])).toEqual(new Map());
});
