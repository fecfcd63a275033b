import { AppError } from '../../base/kernel/index.ts';

export const formNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Form not found');
