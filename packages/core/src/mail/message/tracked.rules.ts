/** Whether email of a type is tracked in the project's tracking mode (B1.5); a request can override it. */
export const isTracked = (
  mode: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY',
  type: 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS',
): boolean => mode === 'ENABLED' || (mode === 'MARKETING_ONLY' && type !== 'TRANSACTIONAL');
