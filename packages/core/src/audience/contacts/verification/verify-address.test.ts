import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { verifyAddress } from './verify-address.ts';

let dns: DnsServer;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  dns = await startDns({
    records: {
      'company.test': { MX: ['10 mx.company.test'], A: ['192.0.2.1'] },
      'website.test': { A: ['192.0.2.2'] },
      'nullmx.test': { MX: ['0 .'], A: ['192.0.2.3'] },
      'named.test': { NS: ['ns.named.test'] },
      'gmail.com': { MX: ['10 mx.gmail.com'] },
      'gmial.com': { A: ['192.0.2.4'] },
      'mailinator.com': { MX: ['10 mx.mailinator.com'] },
      'mozmail.com': { MX: ['10 mx.mozmail.com'] },
    },
  });
  dns.hang('silent.test');
  test = await createTestServices({ env: { DNS_SERVERS: dns.address } });
  project = await createTestProject(test.services);
});

afterAll(async () => {
  await test.close();
  await dns.stop();
});

const verify = (email: string) => verifyAddress.run(project.ctx, { email });

describe('an address', () => {
  it('of a domain with MX records is valid, without a reason against it', async () => {
    expect(await verify('  Ann@Company.test ')).toEqual({
      email: 'ann@company.test',
      valid: true,
      isDisposable: false,
      isAlias: false,
      isTypo: false,
      isPlusAddressed: false,
      isPersonalEmail: false,
      domainExists: true,
      hasWebsite: true,
      hasMxRecords: true,
      reasons: [],
    });
  });

  it('of a domain with a website only is valid, and its reason names the missing MX', async () => {
    const found = await verify('a@website.test');
    expect(found).toMatchObject({ valid: true, hasMxRecords: false, hasWebsite: true });
    expect(found.reasons).toEqual(['Domain has no MX records']);
  });

  it('of a domain that refuses mail by a null MX is not valid', async () => {
    expect(await verify('a@nullmx.test')).toMatchObject({
      valid: false,
      hasMxRecords: false,
      domainExists: true,
    });
  });

  it('of a domain with name servers alone exists and is not valid', async () => {
    expect(await verify('a@named.test')).toMatchObject({
      valid: false,
      domainExists: true,
      hasWebsite: false,
    });
  });

  it('of a domain that does not exist has that as its reason', async () => {
    const found = await verify('a@nowhere.test');
    expect(found).toMatchObject({ valid: false, domainExists: false });
    expect(found.reasons).toEqual(['Domain does not exist']);
  });

  it('of a disposable provider is not valid', async () => {
    const found = await verify('a@mailinator.com');
    expect(found).toMatchObject({ valid: false, isDisposable: true, hasMxRecords: true });
    expect(found.reasons).toEqual(['Disposable email address']);
  });

  it('of a free provider is personal; a plus address is detected', async () => {
    expect(await verify('ann+list@gmail.com')).toMatchObject({
      valid: true,
      isPersonalEmail: true,
      isPlusAddressed: true,
    });
  });

  it('of a forwarding service is an alias', async () => {
    expect(await verify('x@mozmail.com')).toMatchObject({ isAlias: true });
  });

  it('with a typo in the name of a provider gets a suggestion', async () => {
    const found = await verify('ann@gmial.com');
    expect(found).toMatchObject({ isTypo: true, suggestedEmail: 'ann@gmail.com' });
    expect(found.reasons).toContain('Possible typo, did you mean ann@gmail.com?');
  });

  it('whose name servers do not answer within 5 seconds counts as missing, with the reason', async () => {
    const found = await verify('a@silent.test');
    expect(found).toMatchObject({ valid: false, domainExists: false });
    expect(found.reasons).toEqual(['DNS lookup did not answer']);
  });

  it('422: a malformed or missing one', async () => {
    await expect(verify('nobody')).rejects.toMatchObject({
      errors: [{ field: 'email', code: 'invalid_string' }],
    });
    await expect(verifyAddress.runRaw(project.ctx, {})).rejects.toMatchObject({
      errors: [{ field: 'email', code: 'required' }],
    });
  });
});
