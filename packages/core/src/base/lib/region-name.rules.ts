import { z } from 'zod';

/** The name of a region of AWS, or of a store that is addressed like S3. */
export const regionName = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as eu-central-1');
