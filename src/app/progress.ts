/** Told what is happening when it takes a moment. */
export type Progress = (step: string) => void
