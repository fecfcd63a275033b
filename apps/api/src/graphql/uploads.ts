import { uploadImage } from '@postrider/core/uploads';
import { mutationField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

mutationField('uploadImage', uploadImage, objectFromZod(uploadImage.output));
