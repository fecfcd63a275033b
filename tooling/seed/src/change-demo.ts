import { composeServices } from '@postrider/core/adapters';
import { type KeyColumns, keyColumns, readConfig, type Services } from '@postrider/core/base/kernel';
import { hashPassword } from '@postrider/core/people/users';
import type { DemoAccess } from '@postrider/local/demo';
import { pino } from 'pino';

/** The login and the keys that the variables DEMO_… give the demo account; what is not set stays. */
export const wantedAccess = ({ config }: Pick<Services, 'config'>, present: DemoAccess): DemoAccess => ({
  ...present,
  email: config.DEMO_EMAIL?.toLowerCase() ?? present.email,
  password: config.DEMO_PASSWORD ?? present.password,
  secretKey: config.DEMO_SECRET_KEY ?? present.secretKey,
  publicKey: config.DEMO_PUBLIC_KEY ?? present.publicKey,
});

/** Gives the demo account of an earlier start the login and the keys of the variables. Undefined when it was deleted. */
export async function changeDemo(present: DemoAccess): Promise<DemoAccess | undefined> {
  const services = composeServices(readConfig(process.env), pino({ level: 'warn' }), { connections: 2 });
  try {
    return await applyAccess(services, present, wantedAccess(services, present));
  } finally {
    await services.close();
  }
}

/** Replaces the login and the keys of the demo account, found by its address. */
export async function applyAccess(
  { database: { prisma }, secrets }: Services,
  present: DemoAccess,
  wanted: DemoAccess,
): Promise<DemoAccess | undefined> {
  const user = await prisma.user.findUnique({
    where: { email: present.email },
    select: { id: true, memberships: { where: { role: 'OWNER' }, orderBy: { createdAt: 'asc' }, take: 1 } },
  });
  const projectId = user?.memberships[0]?.projectId;
  if (!user || projectId === undefined) return undefined;
  const passwordHash = await hashPassword(wanted.password);
  const keys: KeyColumns = keyColumns(secrets, projectId, wanted);
  await prisma.$transaction([
    prisma.user.update({ where: { id: user.id }, data: { email: wanted.email, passwordHash } }),
    prisma.project.update({ where: { id: projectId }, data: keys }),
  ]);
  return wanted;
}
