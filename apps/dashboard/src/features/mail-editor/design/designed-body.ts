import { compileDesign, type Design, defaultDesign } from '@postrider/core/content/templates/contract';
import type { Brand } from '@postrider/core/people/projects/contract';

/** The body that a new email begins with, and its design. */
export function designedBody(project: { name: string; brand: Brand; language: string }): {
  body: string;
  design: Design;
} {
  const design = defaultDesign(project);
  const body = compileDesign(design, { subject: '', language: project.language });
  return { body, design: { ...design } };
}
