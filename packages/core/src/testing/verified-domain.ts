import type { Services } from '../base/kernel/index.ts';
import { newId } from '../base/lib/index.ts';

/** A verified domain, signing with `privateKeyPem` when a test checks signatures. */
export async function verifiedDomain(
  services: Services,
  projectId: string,
  domain: string,
  { privateKeyPem = '', algorithm = 'none' } = {},
): Promise<string> {
  const { prisma } = services.database;
  const keyId = newId();
  await prisma.domainKey.create({
    data: {
      id: keyId,
      domain,
      selector: 'test',
      publicKey: '',
      algorithm,
      privateCipher: services.secrets.encrypt(privateKeyPem, 'DomainKey.privateCipher', keyId),
    },
  });
  const id = newId();
  await prisma.domain.create({
    data: {
      id,
      projectId,
      domain,
      keyId,
      status: 'VERIFIED',
      verifiedBy: 'DNS',
      verifiedAt: new Date(),
      nextCheckAt: null,
    },
  });
  return id;
}
