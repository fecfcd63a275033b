import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { dkimTokensOf, type SesStandIn, startSesStandIn } from '../../testing/ses-stand-in.ts';
import { checkDomain, createDomain } from './index.ts';

let ses: SesStandIn;
let dns: DnsServer;
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  [ses, dns] = await Promise.all([startSesStandIn(), startDns()]);
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  test = await createTestServices({
    env: { MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-west-1', DNS_SERVERS: dns.address },
  });
  project = await createTestProject(test.services);
});
afterAll(async () => {
  await test.close();
  await Promise.all([ses.close(), dns.stop()]);
  vi.unstubAllEnvs();
});

const publish = (domain: string) => {
  for (const token of dkimTokensOf(domain))
    dns.set(`${token}._domainkey.${domain}`, 'CNAME', [`${token}.dkim.amazonses.com`]);
};
const check = (id: string) => checkDomain(test.services, id, { forced: true });
const setReady = (domain: string, verified: boolean) => {
  const identity = ses.identities.get(domain);
  if (!identity) throw new Error('SES does not know the domain');
  identity.verified = verified;
};

it('a new domain becomes an identity of SES, whose tokens are its required records', async () => {
  const { records } = await createDomain.run(project.ctx, { domain: 'shop.example' });
  expect(ses.identities.get('shop.example')).toEqual({ verified: false, mailFrom: 'bounces.shop.example' });
  const [token] = dkimTokensOf('shop.example');
  expect(records.filter(({ required }) => required)).toHaveLength(3);
  expect(records[0]).toMatchObject({
    type: 'CNAME',
    name: `${token}._domainkey.shop.example`,
    value: `${token}.dkim.amazonses.com`,
    purpose: 'DKIM',
  });
});

it('a domain that is an identity already keeps its tokens', async () => {
  ses.identities.set('known.example', { verified: true, mailFrom: null });
  const { records } = await createDomain.run(project.ctx, { domain: 'known.example' });
  expect(records.filter(({ required }) => required)).toHaveLength(3);
});

it('a domain is VERIFIED once its records are found here and by SES', async () => {
  const { id } = await createDomain.run(project.ctx, { domain: 'both.example' });
  setReady('both.example', true);
  expect(await check(id)).toMatchObject({ status: 'PENDING' });
  publish('both.example');
  setReady('both.example', false);
  expect(await check(id)).toMatchObject({ status: 'PENDING' });
  setReady('both.example', true);
  expect(await check(id)).toMatchObject({ status: 'VERIFIED' });
});

it('a domain that was added with another transport gets its tokens at the next check', async () => {
  const id = await verifiedDomain(test.services, project.id, 'older.example');
  expect(await check(id)).toMatchObject({ sesTokens: dkimTokensOf('older.example') });
});

it('the records of one project do not verify the domain of another that added it meanwhile', async () => {
  const other = await createTestProject(test.services);
  const mine = await createDomain.run(project.ctx, { domain: 'wanted.example' });
  const theirs = await createDomain.run(other.ctx, { domain: 'wanted.example' });
  publish('wanted.example');
  setReady('wanted.example', true);
  expect(await check(mine.id)).toMatchObject({ status: 'VERIFIED' });
  expect(await check(theirs.id)).toMatchObject({ status: 'PENDING' });
});
