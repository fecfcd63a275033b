import { AppError } from '../kernel/index.ts';

export const segmentNotFound = (): AppError => new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
