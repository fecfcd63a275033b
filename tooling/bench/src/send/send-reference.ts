/**
 * The reference for `/v1/send`: only Fastify, zod and pg, with the checks and rows that one plain recipient needs.
 * It has no doors, no operations and no error messages for users.
 */
import { createHash } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { answerParent } from '@postrider/harness/answering-process';
import { fastify } from 'fastify';
import pg from 'pg';
import { z } from 'zod';
import { acceptOne, passGate } from './send-reference.store.ts';

const limit = 1_000_000_000;

const input = z.object({
  to: z.email().max(254),
  from: z.email(),
  subject: z.string().min(1).max(998),
  body: z.string().min(1).max(2_000_000),
  data: z.record(z.string(), z.unknown()).optional(),
});

const connectionString = process.env.DATABASE_URL;
const pool = new pg.Pool({ connectionString, max: 20 });
const asyncCommit = new pg.Pool({ connectionString, max: 10, options: '-c synchronous_commit=off' });
const app = fastify({ logger: false });

app.post('/v1/send', async (request, reply) => {
  const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const project = await passGate(asyncCommit, sha256(key));
  if (!project) return reply.code(401).send({ success: false });
  reply.header('ratelimit-limit', limit).header('ratelimit-remaining', limit - project.count);
  if (project.count > limit) return reply.code(429).send({ success: false });
  if (project.disabled) return reply.code(403).send({ success: false });
  const parsed = input.safeParse(request.body);
  if (!parsed.success) return reply.code(422).send({ success: false, issues: parsed.error.issues });
  const { to, from, subject, body, data } = parsed.data;
  const hash = sha256(JSON.stringify([project.id, subject, body, from]));
  const emailId = newId();
  const stored = await acceptOne(pool, {
    projectId: project.id,
    senderDomain: from.slice(from.indexOf('@') + 1),
    contactId: newId(),
    address: to.toLowerCase(),
    data: JSON.stringify(data ?? {}),
    contentId: hashToId(hash),
    contentHash: hash,
    subject,
    body,
    from,
    projectName: project.name,
    emailId,
  });
  if (!stored) return reply.code(400).send({ success: false });
  return {
    success: true,
    data: {
      emails: [{ contact: { id: stored.contactId, email: stored.email }, email: emailId }],
      timestamp: new Date().toISOString(),
    },
  };
});

const address = await app.listen({ port: 0, host: '127.0.0.1' });
answerParent(async () => address);

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hashToId(hash: Buffer): string {
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
