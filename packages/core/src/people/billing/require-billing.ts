import { type Context, type Payments, projectIdOf } from '../../base/kernel/index.ts';
import { accessDenied } from '../projects/index.ts';
import { type BilledProject, findBilledProject } from './billing.store.ts';
import { paymentsOf } from './billing-errors.ts';

/**
 * The payment provider, and the project that the path names.
 *
 * @throws AppError PROJECT_ACCESS_DENIED for another project than that of the request, BILLING_DISABLED
 */
export async function requireBilling(
  ctx: Context,
  projectId: string,
): Promise<{ payments: Payments; project: BilledProject }> {
  if (projectId !== projectIdOf(ctx)) throw accessDenied();
  const payments = paymentsOf(ctx.services);
  const project = await findBilledProject(ctx.db, projectId);
  if (!project) throw accessDenied();
  return { payments, project };
}
