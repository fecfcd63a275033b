import { AppError } from '../../base/kernel/index.ts';

export const segmentNotFound = (): AppError => new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
