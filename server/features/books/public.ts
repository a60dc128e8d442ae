export { importBooks, storeBooks } from './book-import.ts';
export { importCourses, listConsoleCourses, removeCourse, storeCourses } from './course-list.ts';
export { getCourse } from './courses.ts';
export type { ImportProgress } from './import-repository.ts';
