import { AppError } from '../../base/kernel/index.ts';

export const goalNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Goal not found');
