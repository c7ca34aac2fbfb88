/** Whether packages can be installed without asking anyone. */
export function canInstall(): boolean;
