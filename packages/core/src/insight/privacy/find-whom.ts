import { findPerson, type Person } from '../../audience/contacts/index.ts';
import { AppError, type Context, projectIdOf } from '../../base/kernel/index.ts';

/** Who is meant: the address, and the contact that has it; null where none does. @throws AppError CONTACT_NOT_FOUND for an unknown id */
export async function findWhom(
  ctx: Context,
  { email, contactId }: { email?: string | undefined; contactId?: string | undefined },
): Promise<{ address: string; person: Person | null }> {
  const by =
    contactId === undefined
      ? ({ by: 'email', value: email ?? '' } as const)
      : ({ by: 'id', value: contactId } as const);
  const person = await findPerson(ctx.db, projectIdOf(ctx), by);
  const address = person?.email ?? email;
  if (address === undefined) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return { address, person };
}
