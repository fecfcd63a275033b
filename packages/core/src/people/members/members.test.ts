import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Context, userIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { platformMailTo } from '../../testing/mail.ts';
import { signup, sweepAttempts } from '../users/index.ts';
import {
  acceptInvitation,
  acceptOwnInvitation,
  changeMember,
  declineOwnInvitation,
  getInvitation,
  inviteMember,
  listMembers,
  listOwnInvitations,
  removeMember,
} from './index.ts';

let test: TestServices;
let project: TestProject;
let owner: Context;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  owner = await project.userCtx('OWNER');
});
afterAll(() => test.close());
beforeEach(() => forgetLimits());

const anonymous = (): Context => ({ ...owner, actor: { type: 'anonymous' }, project: null });
const as = (userId: string): Context => ({
  ...owner,
  actor: { type: 'user', userId, emailVerified: false, projectId: null, role: null },
  project: null,
});
/** The same with an address that may sign in, whether proven or not. */
const admitted = (userId: string): Context => ({
  ...as(userId),
  actor: { type: 'user', userId, emailVerified: true, projectId: null, role: null },
});
const fresh = () => `${newId()}@people.test`;
const addressOf = async (ctx: Context) =>
  (await test.services.database.prisma.user.findUniqueOrThrow({ where: { id: userIdOf(ctx) } })).email;
const forgetLimits = () =>
  test.services.database.prisma.authAttempt.deleteMany({ where: { key: { startsWith: 'invitations-' } } });
const invite = (email: string, role?: 'ADMIN' | 'MEMBER', ctx = owner) =>
  inviteMember.run(ctx, { id: project.id, email, ...(role ? { role } : {}) });
const tokenOf = async (email: string): Promise<string> =>
  (await platformMailTo(test.services, email)).at(-1)?.token ?? '';

describe('inviteMember', () => {
  it('201: the address is PENDING and gets a link', async () => {
    const email = fresh();
    expect(await invite(email, 'ADMIN')).toEqual({
      userId: null,
      invitationId: expect.any(String),
      email,
      role: 'ADMIN',
      status: 'PENDING',
      createdAt: expect.any(String),
    });
    const [mail] = await platformMailTo(test.services, email);
    expect(mail?.body).toContain('/auth/signup?invitation=');
  });

  it('the email names the inviter and the project, in the language of the account or of the project', async () => {
    const { user, project: projects } = test.services.database.prisma;
    await projects.update({ where: { id: project.id }, data: { language: 'fr-CA' } });
    const [unknown, known] = [fresh(), fresh()];
    const userId = await createTestUser(test.services, known);
    await user.update({ where: { id: userId }, data: { language: 'ja' } });
    await invite(unknown);
    await invite(known);
    await projects.update({ where: { id: project.id }, data: { language: 'en' } });
    const mails = await Promise.all([unknown, known].map((to) => platformMailTo(test.services, to)));
    expect(mails.map(([mail]) => /lang="(\w+)"/.exec(mail?.body ?? '')?.[1])).toEqual(['fr', 'ja']);
    const inviter = await addressOf(owner);
    const { name } = await projects.findUniqueOrThrow({ where: { id: project.id } });
    for (const [mail] of mails) {
      expect(mail?.body).toContain(inviter);
      expect(mail?.subject).toContain(name);
    }
  });

  it('a name that could be read as an address is not in the email', async () => {
    const { id, userCtx } = await createTestProject(test.services);
    await test.services.database.prisma.project.update({
      where: { id },
      data: { name: 'Pay now: bank.example' },
    });
    const leader = await userCtx('OWNER');
    const email = fresh();
    await inviteMember.run(leader, { id, email });
    const [mail] = await platformMailTo(test.services, email);
    expect(mail?.subject).toBe('You are invited to a project');
    expect(mail?.body).not.toContain('bank.example');
    expect(mail?.body).toContain(await addressOf(leader));
  });

  it('nobody joins without saying so: proven, unproven and unknown addresses get equal answers and emails', async () => {
    const [proven, unproven, unknown] = [fresh(), fresh(), fresh()];
    const userId = await createTestUser(test.services, proven);
    await signup.run(anonymous(), { email: unproven, password: 'correct horse' });
    const before = (await platformMailTo(test.services, unproven)).length;
    const answers = await Promise.all([proven, unproven, unknown].map((email) => invite(email)));
    const shapes = answers.map(({ invitationId, email, createdAt, ...rest }) => ({
      ...rest,
      length: JSON.stringify({ invitationId, email, createdAt }).length,
    }));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(shapes[0]).toMatchObject({ status: 'PENDING', userId: null });
    const mails = await Promise.all(
      [proven, unproven, unknown].map(async (to) => (await platformMailTo(test.services, to)).at(-1)),
    );
    expect(new Set(mails.map((mail) => mail?.body.replaceAll(mail.token ?? '', ''))).size).toBe(1);
    expect(await platformMailTo(test.services, unproven)).toHaveLength(before + 1);
    const { prisma } = test.services.database;
    expect(await prisma.member.count({ where: { userId } })).toBe(0);
  });

  it('409 CONFLICT: for a member and for an invited address, also of several requests at once', async () => {
    const email = fresh();
    const results = await Promise.allSettled([1, 2, 3].map(() => invite(email)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(invite(email)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('201: again once the first invitation has expired', async () => {
    const email = fresh();
    await invite(email);
    await test.services.database.prisma.invitation.updateMany({
      where: { email },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await invite(email)).toMatchObject({ status: 'PENDING' });
  });

  it('403 FORBIDDEN: for a MEMBER; 403 PROJECT_ACCESS_DENIED: for a foreign project', async () => {
    const member = await project.userCtx('MEMBER');
    await expect(invite(fresh(), 'MEMBER', member)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const foreign = await createTestProject(test.services);
    await expect(inviteMember.run(owner, { id: foreign.id, email: fresh() })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });

  it('422: the role OWNER cannot be given', async () => {
    await expect(
      inviteMember.run(owner, { id: project.id, email: fresh(), role: 'OWNER' as 'ADMIN' }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'role' }] });
  });
});

describe('an invitation', () => {
  it('shows its project, and lets the invited address join once', async () => {
    const email = fresh();
    await invite(email, 'ADMIN');
    const token = await tokenOf(email);
    const { id } = await signup.run(anonymous(), { email, password: 'correct horse' });
    expect(await getInvitation.run(anonymous(), { token })).toEqual({
      email,
      role: 'ADMIN',
      projectName: expect.any(String),
      hasAccount: true,
    });

    expect(await acceptInvitation.run(as(id), { token })).toMatchObject({
      userId: id,
      email,
      role: 'ADMIN',
      status: 'ACTIVE',
    });

    await expect(acceptInvitation.run(as(id), { token })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const user = await test.services.database.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(user.emailVerified).toBe(true);
  });

  it('403 FORBIDDEN: for another address; 400: a bad token; 404: looking at an unknown one', async () => {
    const email = fresh();
    await invite(email);
    const stranger = await createTestUser(test.services);
    await expect(acceptInvitation.run(as(stranger), { token: await tokenOf(email) })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(acceptInvitation.run(as(stranger), { token: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(getInvitation.run(anonymous(), { token: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('my invitations', () => {
  const invited = async () => {
    const email = fresh();
    const me = admitted(await createTestUser(test.services, email));
    await invite(email, 'ADMIN');
    const [mine] = await listOwnInvitations.run(me, {});
    if (!mine) throw new Error('no invitation is listed');
    return { email, me, mine };
  };

  it('200: are listed with project, role and inviter, and accepted once', async () => {
    const { email, me, mine } = await invited();
    const { name } = await test.services.database.prisma.project.findUniqueOrThrow({
      where: { id: project.id },
    });
    expect(mine).toEqual({
      id: expect.any(String),
      projectName: name,
      role: 'ADMIN',
      invitedBy: await addressOf(owner),
      expiresAt: expect.any(String),
    });
    const accepts = await Promise.allSettled(
      [1, 2, 3].map(() => acceptOwnInvitation.run(me, { id: mine.id })),
    );
    expect(accepts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listOwnInvitations.run(me, {})).toEqual([]);
    const members = await listMembers.run(project.ctx, { id: project.id });
    expect(members.filter((member) => member.email === email)).toMatchObject([
      { status: 'ACTIVE', role: 'ADMIN' },
    ]);
  });

  it('204: declining ends the link, and keeps the project from inviting the address for 30 days', async () => {
    const { email, me, mine } = await invited();
    const token = await tokenOf(email);
    expect(await declineOwnInvitation.run(me, { id: mine.id })).toEqual({});
    expect(await listOwnInvitations.run(me, {})).toEqual([]);
    await expect(acceptOwnInvitation.run(me, { id: mine.id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    await expect(acceptInvitation.run(me, { token })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(invite(email)).rejects.toMatchObject({ code: 'CONFLICT' });
    const listed = (await listMembers.run(project.ctx, { id: project.id })).find(
      (row) => row.email === email,
    );
    expect(listed).toMatchObject({ status: 'DECLINED', userId: null, invitationId: mine.id });
    // Withdrawing it would be the way around.
    await expect(removeMember.run(owner, { id: project.id, userId: mine.id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const other = await createTestProject(test.services);
    await inviteMember.run(await other.userCtx('OWNER'), { id: other.id, email });
    const { invitation } = test.services.database.prisma;
    const { expiresAt } = await invitation.findUniqueOrThrow({ where: { id: mine.id } });
    expect(Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
    await invitation.update({ where: { id: mine.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await invite(email)).toMatchObject({ status: 'PENDING' });
  });

  it('404 RESOURCE_NOT_FOUND: for the invitation of somebody else', async () => {
    const { mine } = await invited();
    const stranger = admitted(await createTestUser(test.services));
    for (const operation of [acceptOwnInvitation, declineOwnInvitation]) {
      await expect(operation.run(stranger, { id: mine.id })).rejects.toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
      });
    }
  });

  it('403 EMAIL_VERIFICATION_REQUIRED: for an address that is not proven, also where it may sign in', async () => {
    const email = fresh();
    const { id } = await signup.run(anonymous(), { email, password: 'correct horse' });
    const { invitationId } = await invite(email);
    const me = admitted(id);
    const refusal = { code: 'EMAIL_VERIFICATION_REQUIRED' };
    await expect(listOwnInvitations.run(me, {})).rejects.toMatchObject(refusal);
    await expect(acceptOwnInvitation.run(me, { id: invitationId ?? '' })).rejects.toMatchObject(refusal);
    await expect(declineOwnInvitation.run(me, { id: invitationId ?? '' })).rejects.toMatchObject(refusal);
  });
});

describe('limits of invitations', () => {
  const tooMany = { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: expect.any(Number) } };

  it('429: a stranger gets 3 a day, whoever invites from whatever project, and withdrawing gives nothing back', async () => {
    const email = fresh();
    const projects = await Promise.all(Array.from({ length: 20 }, () => createTestProject(test.services)));
    const results: PromiseSettledResult<unknown>[] = [];
    const inviteAndWithdraw = async ({ id, userCtx }: TestProject) => {
      const leader = await userCtx('OWNER');
      for (let round = 0; round < 5; round += 1) {
        const [result] = await Promise.allSettled([inviteMember.run(leader, { id, email })]);
        results.push(result);
        if (result.status === 'fulfilled')
          await removeMember.run(leader, { id, userId: result.value.invitationId ?? '' });
      }
    };
    await Promise.all(projects.map(inviteAndWithdraw));
    expect(await platformMailTo(test.services, email)).toHaveLength(3);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(97);
    for (const reason of refused) expect(reason).toMatchObject(tooMany);
  });

  it('429: above 20 a day of a project, and above 50 of a person', async () => {
    const leader = admitted(await createTestUser(test.services));
    const { prisma } = test.services.database;
    const projectOf = async () => {
      const { id } = await createTestProject(test.services);
      await prisma.member.create({ data: { projectId: id, userId: userIdOf(leader), role: 'ADMIN' } });
      return id;
    };
    const ids = [await projectOf(), await projectOf(), await projectOf()];
    const sent: Record<string, number> = {};
    for (const id of ids) {
      for (let count = 0; count < 21; count += 1) {
        const [result] = await Promise.allSettled([inviteMember.run(leader, { id, email: fresh() })]);
        if (result.status === 'fulfilled') sent[id] = (sent[id] ?? 0) + 1;
        else expect(result.reason).toMatchObject(tooMany);
      }
    }
    expect(ids.map((id) => sent[id])).toEqual([20, 20, 8]);
  });

  it('403 EMAIL_VERIFICATION_REQUIRED: above 3 in all of a person whose address is not proven', async () => {
    const { prisma } = test.services.database;
    const id = newId();
    await prisma.user.create({ data: { id, email: fresh() } });
    await prisma.member.create({ data: { projectId: project.id, userId: id, role: 'ADMIN' } });
    const unproven = admitted(id);
    for (let count = 0; count < 3; count += 1) await invite(fresh(), 'MEMBER', unproven);
    await sweepAttempts(test.services, new Date(Date.now() + 10 * 86_400_000), 1_000);
    await expect(invite(fresh(), 'MEMBER', unproven)).rejects.toMatchObject({
      code: 'EMAIL_VERIFICATION_REQUIRED',
    });
    await prisma.user.update({ where: { id }, data: { emailVerified: true } });
    expect(await invite(fresh(), 'MEMBER', unproven)).toMatchObject({ status: 'PENDING' });
  });
});

describe('a disabled project', () => {
  it('403 PROJECT_DISABLED: invites nobody, lets nobody join, and makes nobody an admin; the owner may tidy up', async () => {
    const { id, ctx, userCtx } = await createTestProject(test.services);
    const [leader, admin, member] = [await userCtx('OWNER'), await userCtx('ADMIN'), await userCtx('MEMBER')];
    const [email, other] = [fresh(), fresh()];
    const guest = admitted(await createTestUser(test.services, email));
    await inviteMember.run(leader, { id, email });
    const { invitationId } = await inviteMember.run(leader, { id, email: other });
    const token = await tokenOf(email);
    const [mine] = await listOwnInvitations.run(guest, {});
    await test.services.database.prisma.project.update({ where: { id }, data: { disabled: true } });

    const refusal = { code: 'PROJECT_DISABLED' };
    const change = (by: Context, role: 'ADMIN' | 'MEMBER', of: Context) =>
      changeMember.run(by, { id, userId: userIdOf(of), role });
    await expect(inviteMember.run(leader, { id, email: fresh() })).rejects.toMatchObject(refusal);
    await expect(acceptInvitation.run(guest, { token })).rejects.toMatchObject(refusal);
    await expect(acceptOwnInvitation.run(guest, { id: mine?.id ?? '' })).rejects.toMatchObject(refusal);
    await expect(getInvitation.run(anonymous(), { token })).rejects.toMatchObject(refusal);
    await expect(
      signup.run(anonymous(), { email: other, password: 'correct horse', invitation: await tokenOf(other) }),
    ).rejects.toMatchObject(refusal);
    await expect(change(leader, 'ADMIN', member)).rejects.toMatchObject(refusal);
    await expect(change(admin, 'MEMBER', member)).rejects.toMatchObject(refusal);
    expect(await listOwnInvitations.run(guest, {})).toEqual([]);
    expect(await platformMailTo(test.services, email)).toHaveLength(1);

    expect(await listMembers.run(ctx, { id })).toHaveLength(5);
    expect(await change(leader, 'MEMBER', admin)).toMatchObject({ role: 'MEMBER' });
    await removeMember.run(leader, { id, userId: userIdOf(member) });
    await removeMember.run(leader, { id, userId: invitationId ?? '' });
    expect(await declineOwnInvitation.run(guest, { id: mine?.id ?? '' })).toEqual({});
  });
});

describe('listMembers', () => {
  it('200: the OWNER first, then by address, with pending and without expired invitations', async () => {
    const { id, ctx, userCtx } = await createTestProject(test.services);
    const leader = await userCtx('OWNER');
    await userCtx('MEMBER');
    await inviteMember.run(leader, { id, email: 'zoe@people.test' });
    await inviteMember.run(leader, { id, email: 'old@people.test' });
    await test.services.database.prisma.invitation.updateMany({
      where: { projectId: id, email: 'old@people.test' },
      data: { expiresAt: new Date(Date.now() - 1) },
    });

    const members = await listMembers.run(ctx, { id });

    expect(members.map(({ role }) => role)).toEqual(['OWNER', 'MEMBER', 'MEMBER']);
    expect(members.at(-1)).toMatchObject({ email: 'zoe@people.test', status: 'PENDING' });
    for (const { userId, invitationId } of members) expect([userId, invitationId]).toContain(null);
  });

  it("403 PROJECT_ACCESS_DENIED: for another project's id", async () => {
    const foreign = await createTestProject(test.services);
    await expect(listMembers.run(project.ctx, { id: foreign.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });
});

describe('changing and removing members', () => {
  it('200: changes the role of a member and of an invitation, and removes both', async () => {
    const admin = await project.userCtx('ADMIN');
    const member = userIdOf(await project.userCtx('MEMBER'));
    const { invitationId } = await invite(fresh());
    if (invitationId === null) throw new Error('the address has no account');
    for (const userId of [member, invitationId]) {
      expect(await changeMember.run(admin, { id: project.id, userId, role: 'ADMIN' })).toMatchObject({
        role: 'ADMIN',
      });
      await removeMember.run(admin, { id: project.id, userId });
      await expect(removeMember.run(admin, { id: project.id, userId })).rejects.toMatchObject({
        code: 'RESOURCE_NOT_FOUND',
      });
    }
  });

  it('403 FORBIDDEN: for the OWNER, for oneself, and for a MEMBER', async () => {
    const admin = await project.userCtx('ADMIN');
    const member = await project.userCtx('MEMBER');
    const attempts: [Context, string][] = [
      [admin, project.ownerId],
      [admin, userIdOf(admin)],
      [owner, project.ownerId],
      [member, userIdOf(admin)],
    ];
    for (const [ctx, userId] of attempts) {
      await expect(removeMember.run(ctx, { id: project.id, userId })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      await expect(changeMember.run(ctx, { id: project.id, userId, role: 'MEMBER' })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
  });

  it('404 RESOURCE_NOT_FOUND: for a member of another project', async () => {
    const foreign = await createTestProject(test.services);
    const stranger = userIdOf(await foreign.userCtx('MEMBER'));
    await expect(removeMember.run(owner, { id: project.id, userId: stranger })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});
