export {
  answeredTo,
  type BounceType,
  type Diagnosis,
  diagnose,
  diagnosisOf,
  storedDetail,
} from './diagnosis.rules.ts';
