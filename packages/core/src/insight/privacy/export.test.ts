import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSuppressions, deleteContact, upsertContact } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createEmailSweep, sendEmail } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import {
  continueErasures,
  erasePerson,
  exportPerson,
  getErasure,
  getPersonExport,
  openPersonFile,
  writePersonChunk,
} from './index.ts';
import { plantRow } from './plant.fixture.ts';

let test: TestServices;
let project: TestProject;
let domain: string;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  domain = `${project.id}.example.com`;
  await verifiedDomain(test.services, project.id, domain);
});
afterAll(() => test.close());

async function documentOf(ctx: Context, jobId: string): Promise<{ chunks: number; text: string }> {
  const { chunks } = await openPersonFile(ctx, jobId);
  const parts: Buffer[] = [];
  for await (const part of chunks) parts.push(part);
  return { chunks: parts.length, text: Buffer.concat(parts).toString() };
}

async function written(jobId: string, length?: number): Promise<void> {
  for (let call = 0; call < 200; call += 1)
    if (!(await writePersonChunk(test.services, jobId, length))) return;
  throw new Error('the export does not end');
}

describe('privacy.export', () => {
  it('writes what is stored about a person, in chunks that make one document of JSON', async () => {
    const email = `${newId()}@people.test`;
    const { id: contactId } = await upsertContact.run(project.ctx, { email, data: { plan: 'pro' } });
    const sent = { from: `shop@${domain}`, subject: 'Hi {{name}}', body: '<p>Dear {{plan}}</p>', to: email };
    await sendEmail.run(project.ctx, { ...sent, data: { name: 'Jane' } });
    for (let n = 0; n < 3; n += 1) await trackEvent.run(project.publicCtx, { email, event: `order.${n}` });
    const act = {
      projectId: `'${project.id}'`,
      contactId: `'${contactId}'`,
      seq: '5',
      action: `'subscribe'`,
    };
    await plantRow(test.services, 'ConsentAct', {
      ...act,
      topicsOn: `'{1}'`,
      topicsOff: `'{}'`,
      page: `'https://shop.test/'`,
    });
    const { id: jobId } = await exportPerson.run(project.ctx, { contactId });
    await expect(openPersonFile(project.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await written(jobId, 1);
    const { chunks, text } = await documentOf(project.ctx, jobId);
    expect(chunks).toBeGreaterThan(3);
    const document = JSON.parse(text);
    expect(document).toMatchObject({
      person: { email, contactId },
      project: { id: project.id },
      contact: { email, data: { plan: 'pro' }, subscribed: true },
      suppression: null,
      emails: [
        { to: email, subject: 'Hi Jane', html: expect.stringContaining('Dear pro'), interactions: [] },
      ],
      emailsToTheAddress: [],
      executions: [],
    });
    expect(document.consentActs).toContainEqual(
      expect.objectContaining({
        action: 'subscribe',
        page: 'https://shop.test/',
        topics: { general: true },
      }),
    );
    const names = document.events.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['order.0', 'order.1', 'order.2']));
    expect(await getPersonExport.run(project.ctx, { jobId })).toMatchObject({
      state: 'completed',
      progress: 100,
      result: { records: document.consentActs.length + 1 + names.length },
    });
  });

  it('has what is left once emails were removed for their age, and so has an erasure', async () => {
    const email = `${newId()}@people.test`;
    const { id: contactId } = await upsertContact.run(project.ctx, { email });
    const mail = { from: `shop@${domain}`, subject: 'Old', body: '<p>Old</p>', to: email };
    await sendEmail.run(project.ctx, mail);
    const old = new Date(Date.now() - 500 * 86_400_000);
    await test.services.database.prisma.email.updateMany({
      where: { contactId },
      data: { status: 'SENT', batchId: null, createdAt: old, sentAt: old, updatedAt: old },
    });
    await sendEmail.run(project.ctx, { ...mail, subject: 'New' });
    const { remove } = createEmailSweep();
    const config = { ...test.services.config, EMAIL_DAYS: 400 };
    expect(await remove({ ...test.services, config }, new Date(), 100)).toBe(1);
    const { id: jobId } = await exportPerson.run(project.ctx, { contactId });
    await written(jobId);
    const { emails, contact } = JSON.parse((await documentOf(project.ctx, jobId)).text);
    expect([contact.email, emails.map(({ subject }: { subject: string }) => subject)]).toEqual([
      email,
      ['New'],
    ]);
    const { id } = await erasePerson.run(project.ctx, { contactId });
    for (const ms of [0, 180_000, 600_000, 2_400_000])
      await continueErasures(test.services, Number.POSITIVE_INFINITY, () => new Date(Date.now() + ms));
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'COMPLETED', remaining: 0 });
  });

  it('is about the hash of an address once its contact is deleted', async () => {
    const email = `${newId()}@people.test`;
    const { id } = await upsertContact.run(project.ctx, { email, subscribed: false });
    await deleteContact.run(project.ctx, { id });
    await addSuppressions.run(project.ctx, { emails: [email] });
    const { id: jobId } = await exportPerson.run(project.ctx, { email });
    await written(jobId);
    const document = JSON.parse((await documentOf(project.ctx, jobId)).text);
    expect(document).toMatchObject({
      person: { email, contactId: null },
      contact: null,
      suppression: { reason: 'MANUAL' },
      optOut: { createdAt: expect.any(String) },
      events: [],
    });
  });

  it('404: for an address of which nothing is stored, and for a contact of another project', async () => {
    await expect(exportPerson.run(project.ctx, { email: 'nobody@people.test' })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
    const other = await createTestProject(test.services);
    const { id: contactId } = await upsertContact.run(other.ctx, { email: 'theirs@people.test' });
    await expect(exportPerson.run(project.ctx, { contactId })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
    await expect(exportPerson.run(project.ctx, { email: 'theirs@people.test' })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
  });

  it('404: for a job of another project, its file, and a text that is no id', async () => {
    const email = `${newId()}@people.test`;
    await upsertContact.run(project.ctx, { email });
    const { id: jobId } = await exportPerson.run(project.ctx, { email });
    const other = await createTestProject(test.services);
    for (const id of [jobId, 'no id'])
      for (const attempt of [getPersonExport.run(other.ctx, { jobId: id }), openPersonFile(other.ctx, id)])
        await expect(attempt).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('is ended by an erasure in the project, and its document is gone', async () => {
    const email = `${newId()}@people.test`;
    await upsertContact.run(project.ctx, { email });
    const { id: jobId } = await exportPerson.run(project.ctx, { email });
    await written(jobId);
    await erasePerson.run(project.ctx, { email: `${newId()}@people.test` });
    await continueErasures(test.services, Number.POSITIVE_INFINITY);
    expect(await getPersonExport.run(project.ctx, { jobId })).toMatchObject({
      state: 'failed',
      result: null,
    });
    await expect(openPersonFile(project.ctx, jobId)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});
