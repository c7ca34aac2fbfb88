// The metadata of a field of a schema.
import * as z from "zod";

/** The metadata of a field, whether it is optional or not. */
export const metaOf = (field: z.ZodType): { example?: unknown; description?: string | undefined } => ({
  ...(field instanceof z.ZodOptional || field instanceof z.ZodDefault ? metaOf(field.unwrap() as z.ZodType) : {}),
  ...field.meta(),
});
