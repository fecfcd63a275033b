import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, newId, userIdOf } from '../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestProject,
  type TestServices,
} from '../testing/index.ts';
import { platformMailTo } from '../testing/mail.ts';
import { signup } from '../users/index.ts';
import {
  acceptInvitation,
  changeMember,
  getInvitation,
  inviteMember,
  listMembers,
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

const anonymous = (): Context => ({ ...owner, actor: { type: 'anonymous' }, project: null });
const as = (userId: string): Context => ({
  ...owner,
  actor: { type: 'user', userId, emailVerified: false, projectId: null, role: null },
  project: null,
});
const fresh = () => `${newId()}@people.test`;
const invite = (email: string, role?: 'ADMIN' | 'MEMBER', ctx = owner) =>
  inviteMember.run(ctx, { id: project.id, email, ...(role ? { role } : {}) });
const tokenOf = async (email: string): Promise<string> =>
  (await platformMailTo(test.services, email)).at(-1)?.token ?? '';

describe('inviteMember', () => {
  it('201: an address without a proven account is PENDING and gets a link', async () => {
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

  it("an invitation is written in the project's language, a notice in that of the account", async () => {
    const { user, project: projects } = test.services.database.prisma;
    await projects.update({ where: { id: project.id }, data: { language: 'fr-CA' } });
    const [unknown, known] = [fresh(), fresh()];
    const userId = await createTestUser(test.services, known);
    await user.update({ where: { id: userId }, data: { language: 'ja' } });
    await invite(unknown);
    await invite(known);
    await projects.update({ where: { id: project.id }, data: { language: 'en' } });
    const bodies = await Promise.all([unknown, known].map((to) => platformMailTo(test.services, to)));
    expect(bodies.map(([mail]) => /lang="(\w+)"/.exec(mail?.body ?? '')?.[1])).toEqual(['fr', 'ja']);
  });

  it('201: a proven account is ACTIVE at once and gets a notice without a link to accept', async () => {
    const email = fresh();
    const userId = await createTestUser(test.services, email);
    expect(await invite(email)).toMatchObject({
      userId,
      invitationId: null,
      role: 'MEMBER',
      status: 'ACTIVE',
    });
    expect(await platformMailTo(test.services, email)).toEqual([
      expect.objectContaining({ subject: expect.stringContaining('added'), token: null }),
    ]);
  });

  it('201: an account whose address was never proven is PENDING: it may not be its owner', async () => {
    const email = fresh();
    await signup.run(anonymous(), { email, password: 'correct horse' });
    expect(await invite(email)).toMatchObject({ status: 'PENDING', userId: null });
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
