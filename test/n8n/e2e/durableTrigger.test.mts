/** The trigger with n8n's durable polling. */
import { testTrigger } from './triggerTests.mts';

testTrigger('durable', 'memory');
