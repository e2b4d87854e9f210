/** Before each test file (jest.config.js): the product draws the same random numbers in every run. */
import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { SeededRandom } from '../service/random.mts';

const chance = new SeededRandom(1);
systemClock.random = () => chance.fraction();
