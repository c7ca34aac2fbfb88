// Runs before each test file: resets process-wide state of the product, and the previous file's clocks and spies.
import { vi } from "vitest";

vi.useRealTimers();
vi.restoreAllMocks();
Reflect.deleteProperty(globalThis, Symbol.for("quittance.proxy-seen"));
Reflect.deleteProperty(globalThis, Symbol.for("quittance.runtime"));
const lifecycle = Reflect.get(globalThis, Symbol.for("quittance.lifecycle"));
if (lifecycle) Object.assign(lifecycle, { isOwnServer: false, isDraining: false });
lifecycle?.waiting.clear();
