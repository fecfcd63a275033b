import { AppError } from '../../base/kernel/index.ts';

/** The same error for an unknown id and for a domain of another project. */
export const domainNotFound = (): AppError => new AppError('DOMAIN_NOT_FOUND', 'Domain not found');
