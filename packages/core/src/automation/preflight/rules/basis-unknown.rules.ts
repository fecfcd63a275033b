import { defineRule } from '../rule.rules.ts';

/** Of recipients who never said so, it cannot be shown that they agreed to marketing email (behaviour B12.1). */
export const basisUnknownRule = defineRule({
  name: 'basis_unknown',
  level: 'warning',
  needs: ['content', 'bases'],
  check({ content: { type }, bases: { counts, isEstimated } }) {
    const count = counts.default + counts.unknown;
    if (type === 'TRANSACTIONAL' || count === 0) return [];
    return [
      {
        field: 'audienceType',
        message: `Of ${isEstimated ? 'about ' : ''}${count === 1 ? '1 recipient' : `${count.toLocaleString('en-US')} recipients`} it is not known that they agreed to marketing email; state it where you add contacts, or leave them out by the filter consentBasis.`,
        details: { count, ...(isEstimated && { estimated: true }) },
      },
    ];
  },
});
