// Types of the imports that Next allows (CSS modules, images), the same before and after a build.
/// <reference types="next" />
/// <reference types="next/image-types/global" />
