export {
  type AttemptLimit,
  sweepPublicAttempts,
  takeAttempts,
  takenAttempts,
} from './attempts.store.ts';
