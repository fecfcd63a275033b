import { defineRule } from '../rule.rules.ts';

/** Opens and clicks of it will not be known. */
export const trackingOffRule = defineRule({
  name: 'tracking_off',
  level: 'warning',
  needs: ['isTracked'],
  check: ({ isTracked }) =>
    isTracked
      ? []
      : [
          {
            field: null,
            message:
              'Opens and clicks are not tracked, so its report will have none; turn tracking on in the settings of the project if you want to know them.',
          },
        ],
});
