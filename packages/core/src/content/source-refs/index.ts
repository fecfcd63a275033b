export { findSourceTargets } from './find-source-targets.ts';
export { listSourceRefs, sourceRefKey } from './list-source-refs.ts';
export { removeSourceRef } from './remove-source-ref.ts';
export { setSourceRef } from './set-source-ref.ts';
